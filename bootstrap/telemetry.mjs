// The former path of the tracing preload, for command lines that still name it.
import './process/opentelemetry.mjs';
