// The demuxers of mediabunny and ffmpeg that may open a video of each recognised kind.
import { type InputFormat, MATROSKA, MP4, MPEG_TS, QTFF, WEBM } from 'mediabunny'

export interface Demuxer {
  /** ffmpeg's name for it. */
  readonly name: string
  /** `pipe`: the format is read from front to back. `file`: its index may be anywhere. */
  readonly by: 'pipe' | 'file'
  /** mediabunny's readers; empty where it has none. */
  readonly formats: readonly InputFormat[]
}

const mov: Demuxer = { name: 'mov', by: 'file', formats: [MP4, QTFF] }
const matroska: Demuxer = { name: 'matroska', by: 'pipe', formats: [MATROSKA, WEBM] }
const asf: Demuxer = { name: 'asf', by: 'pipe', formats: [] }
const mpeg: Demuxer = { name: 'mpeg', by: 'pipe', formats: [] }

/** Demuxers by kind; the last ones are for names that earlier versions of the server stored. */
const demuxers: Readonly<Record<string, Demuxer>> = {
  'video/mp4': mov,
  'video/x-m4v': mov,
  'video/quicktime': mov,
  'video/3gpp': mov,
  'video/matroska': matroska,
  'video/webm': matroska,
  'video/mp2t': { name: 'mpegts', by: 'pipe', formats: [MPEG_TS] },
  'video/mpeg': { name: 'mpegvideo', by: 'pipe', formats: [] },
  'video/MP1S': mpeg,
  'video/MP2P': mpeg,
  'video/x-flv': { name: 'flv', by: 'pipe', formats: [] },
  'video/vnd.avi': { name: 'avi', by: 'file', formats: [] },
  'video/x-ms-asf': asf,
  'video/hevc': { name: 'hevc', by: 'pipe', formats: [] },
  'video/x-matroska': matroska,
  'video/x-ms-wmv': asf,
}

/** Demuxer of the MP4 files that this server makes. */
export const ownMp4: Demuxer = { ...mov, formats: [MP4] }

/** The demuxer of a kind; undefined for kinds that are not accepted. */
export function demuxerOf(mime: string): Demuxer | undefined {
  return Object.hasOwn(demuxers, mime) ? demuxers[mime] : undefined
}
