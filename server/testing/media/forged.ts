// Forged files that refer to other files, which a decoder must not read.
import { crc32 } from 'node:zlib'
import { fixture } from '#server/testing/pictures.ts'

export interface Forged {
  readonly name: string
  readonly bytes: Buffer
}

/** Puts `G`, the sync byte of a transport stream, at these offsets of a filler. */
function filler(from: number, length: number, offsets: readonly number[]): string {
  const marked = new Set(offsets)
  return Array.from({ length }, (_, i) => (marked.has(from + i) ? 'G' : ' ')).join('')
}

/** Text in an XML comment whose 5th and 197th bytes are `G`, the sync byte of a transport stream. */
const commented = (xml: string) => `<!--G${filler(5, 200, [196])}-->\n${xml}`

const mpd = (
  url: string,
) => `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011"
 type="static" mediaPresentationDuration="PT5S" minBufferTime="PT1S"><Period><AdaptationSet contentType="video"
 mimeType="video/mp4"><Representation id="1" bandwidth="100000" codecs="avc1.42c01e" width="640" height="360">
<BaseURL>${url}</BaseURL></Representation></AdaptationSet></Period></MPD>\n`

const imf = (
  url: string,
) => `<AssetMap xmlns="http://www.smpte-ra.org/schemas/429-9/2007/AM"><AssetList><Asset>
<Id>urn:uuid:1</Id><ChunkList><Chunk><Path>${url}</Path></Chunk></ChunkList></Asset></AssetList></AssetMap>
<CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:2</Id></CompositionPlaylist>\n`

const hls = (url: string) =>
  `#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\n${url}\n#EXT-X-ENDLIST\n`

/** Text after a comment with `G` at every 188th byte, so that each packet begins with a sync byte. */
const everyPacket = (xml: string) =>
  `G<!--${filler(
    5,
    64 * 188,
    Array.from({ length: 70 }, (_, i) => i * 188),
  )}-->\n${xml}`

/** A zip of one stored file, with `G` where two-byte recognition looked. */
function zipOf(name: string, text: string): Buffer {
  const body = Buffer.from(text)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(0x47, 4)
  local.writeUInt32LE(crc32(body), 14)
  local.writeUInt32LE(body.length, 18)
  local.writeUInt32LE(body.length, 22)
  local.writeUInt16LE(name.length, 26)
  return Buffer.concat([local, Buffer.from(name), body])
}

/** `h264-moovend.mp4` whose tracks refer to another file for their data. */
function foreignData(type: 'alis' | 'url ', target: string): Buffer {
  let bytes = fixture('h264-moovend.mp4')
  const location = Buffer.from(`${target}\0`)
  const entry = Buffer.alloc(12 + location.length)
  entry.writeUInt32BE(entry.length, 0)
  entry.write(type, 4, 'latin1')
  location.copy(entry, 12)
  for (let at = bytes.indexOf('dref'); at >= 0; at = bytes.indexOf('dref', at + 4)) {
    const [from, to] = [at + 12, at + 24]
    const grown = entry.length - 12
    const parents = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref'].map((it) => bytes.lastIndexOf(it, at))
    bytes = Buffer.concat([bytes.subarray(0, from), entry, bytes.subarray(to)])
    for (const it of parents) bytes.writeUInt32BE(bytes.readUInt32BE(it - 4) + grown, it - 4)
  }
  return bytes
}

/**
 * The forged files, each of which refers to the same file.
 * @param relative path of the target from the folder of uploads
 * @param absolute the same target as an absolute path
 */
export function forgedFiles({ relative, absolute }: { relative: string; absolute: string }): Forged[] {
  const text = (name: string, it: string): Forged => ({ name, bytes: Buffer.from(it) })
  return [
    text('dash.mp4', commented(mpd(relative))),
    text('dash-absolute.mp4', commented(mpd(`file://${absolute}`))),
    text('dash-packets.ts', everyPacket(mpd(relative))),
    text('hls.mp4', hls(relative)),
    text('hls.m3u8', `\uFEFF${hls(`file://${absolute}`)}`),
    text('concat.mp4', `ffconcat version 1.0\nfile '${relative}'\n`),
    text('imf.mp4', commented(imf(relative))),
    { name: 'alias.mov', bytes: foreignData('alis', absolute) },
    { name: 'url.mp4', bytes: foreignData('url ', `file://${absolute}`) },
    text('sdp.mp4', `v=0\nG=${filler(6, 200, [196])}\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n`),
    text('subtitles.mp4', `1\n00:00:00,000 --> 00:00:05,000\n<img src="file://${absolute}">\n`),
    text(
      'subtitles.mkv',
      `WEBVTT\n\nREGION\nid:${filler(18, 200, [196])}\n\n00:00.000 --> 00:05.000\n${absolute}\n`,
    ),
    { name: 'zip.mp4', bytes: zipOf('playlist.mpd', filler(42, 200, [196]) + mpd(relative)) },
    { name: 'zip.mkv', bytes: zipOf('playlist.m3u8', filler(43, 200, [196]) + hls(relative)) },
  ]
}
