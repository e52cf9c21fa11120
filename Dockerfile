# Portico as an image. There is nothing to build: Node runs the TypeScript as it is.
#
#   docker build --tag portico:0.1.0 .
#
# The version of Node is that of package.json. To pin the exact image, give its digest, as
# `docker buildx imagetools inspect node:24.21.0-trixie-slim` shows it:
#
#   docker build --build-arg NODE_IMAGE=node:24.21.0-trixie-slim@sha256:… --tag portico:0.1.0 .
ARG NODE_IMAGE=node:24.21.0-trixie-slim
FROM ${NODE_IMAGE}

LABEL org.opencontainers.image.title="Portico" \
      org.opencontainers.image.description="A commerce API server whose payments happen exactly once." \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.source="https://code.portico.example/portico" \
      org.opencontainers.image.licenses="MIT"

WORKDIR /portico

# This layer is rebuilt only when the packages change. No package needs its install scripts. Stripe's package is an optional peer;
# here it becomes an ordinary dependency at the version of the lockfile, so that PAYMENT_PROVIDER=stripe works.
COPY package.json package-lock.json .npmrc ./
RUN npm pkg delete devDependencies.stripe peerDependenciesMeta \
 && npm ci --omit=dev --ignore-scripts \
 && npm cache clean --force \
 && ln -s /portico/bootstrap/portico.mjs /usr/local/bin/portico \
 && install --directory --owner=10001 --group=10001 --mode=0750 /data

# The code changes most often, so it comes last. It belongs to root, so that the server cannot change it.
COPY LICENSE CHANGELOG.md ./
COPY docs docs
COPY domain domain
COPY application application
COPY adapters adapters
COPY bootstrap bootstrap

# HOST is every address, so Portico starts only with TLS_CERT_FILE and TLS_KEY_FILE, or with TRUST_PROXY=1 behind a proxy
# that speaks HTTPS. OPS_HOST stays the container's own loopback address unless you set it.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    OPS_PORT=9090 \
    DATABASE_URL=sqlite:/data/portico.db

# By number, so that Kubernetes can check runAsNonRoot.
USER 10001:10001

# Used by SQLite only. With PostgreSQL the file system can be read-only.
VOLUME /data

EXPOSE 3000 9090
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "require('node:http').get({ port: process.env.OPS_PORT, path: '/readyz', timeout: 4000 }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('timeout', () => process.exit(1)).on('error', () => process.exit(1))"]

# Node is process 1 of the container and handles SIGTERM. docs/operations.md explains the flags. Other commands follow the name of
# the image: `docker run … portico:0.1.0 doctor`.
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=40", "--no-allocation-site-pretenuring", "/portico/bootstrap/portico.mjs"]
CMD ["start"]
