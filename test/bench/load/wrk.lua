-- Sends the requests of a file in turn, repeatedly, as they stand there. {key} becomes a new random key, and {later key} one
-- that sorts behind all before it.
local random = math.random

local keys = {}

keys['key'] = function()
  return string.format(
    '%08x-%04x-4%03x-%04x-%04x%08x',
    random(0, 0xffffffff), random(0, 0xffff), random(0, 0xfff), random(0x8000, 0xbfff), random(0, 0xffff), random(0, 0xffffffff)
  )
end

local begun = os.time()
local count = 0

-- Like the keys of Portico's client, with a counter in place of milliseconds.
keys['later key'] = function()
  count = count + 1
  return string.format('%08x%08x%08x%08x', begun, count, random(0, 0xffffffff), random(0, 0xffffffff))
end

local texts = {}

for text in io.open(os.getenv('REQUESTS'), 'rb'):read('*a'):gmatch('[^%z]+') do
  local before, which, after = text:match('^(.-){([%a ]*key)}(.*)$')
  texts[#texts + 1] = before and { before, after, keys[which] } or { text }
end

-- wrk takes one before it begins, to see whether it can be read.
local place = tonumber(os.getenv('FROM')) - 1

local function written()
  local text = texts[place % #texts + 1]
  place = place + 1
  return text[2] and text[1] .. text[3]() .. text[2] or text[1]
end

function init()
  math.randomseed(tonumber(os.getenv('SEED')))
end

if #texts == 1 and not texts[1][2] then
  wrk.format = written
else
  request = written
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"microseconds":%d,"refused":%d,"failed":%d,"p50":%d,"p99":%d}\n',
    summary.requests, summary.duration, errors.status, errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50), latency:percentile(99)
  ))
end
