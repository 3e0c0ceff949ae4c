// Arguments with which ffmpeg makes what a film shows: H.264 of 8 bits in Rec. 709.
import { rm } from 'node:fs/promises'
import { FilePathSource, Input } from 'mediabunny'
import { type Demuxer, ownMp4 } from './demuxer.ts'
import { ffmpeg, hasFfmpeg, hasFilters } from './ffmpeg.ts'
import type { Shown } from './task.ts'
import { colourOf, isHdr } from './track-facts.ts'

/** Full HD at most, with even sides, which the codec requires. */
const fitted =
  'scale=w=min(iw\\,1920):h=min(ih\\,1920):force_original_aspect_ratio=decrease:force_divisible_by=2'
const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-pix_fmt', 'yuv420p']
const taggedAsRec709 = ['-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709']

/** Time limit of decoding one frame, ms. */
const FIRST_FRAME = 20_000

type Transfer = 'hlg' | 'pq'

/** HDR's reference white (BT.2408), and the brightest light that is kept apart from it, cd/m². */
const [WHITE, BRIGHTEST] = [203, 1000]
/** Linear light up to which nothing changes, of 1 for white; without it, white would become grey. */
const UNCHANGED = 0.8

/** Filters that make Rec. 709 of HDR: what is darker stays as it is, white becomes almost white, and brighter light is between. */
function toneMapped(transfer: Transfer): string {
  const curve = transfer === 'hlg' ? 'arib-std-b67' : 'smpte2084'
  // Streams that name only their curve are in BT.2020.
  const source = `setparams=color_primaries=bt2020:color_trc=${curve}:colorspace=bt2020nc`
  const curved = `tonemap=mobius:param=${UNCHANGED}:peak=${BRIGHTEST / WHITE}`
  const linear = `zscale=t=linear:npl=${WHITE},format=gbrpf32le,zscale=p=bt709,${curved}`
  return `${source},${linear},zscale=t=bt709:m=bt709:r=tv,format=yuv420p`
}

/** Whether this machine can make Rec. 709 of HDR: zscale and tonemap are optional parts of ffmpeg. */
export async function canToneMap(): Promise<boolean> {
  return (await hasFfmpeg()) && hasFilters(toneMapped('hlg'))
}

/** The tracks that a player chooses: the first ones, but no pictures of a cover. */
export function mapOf({ tracks }: Shown): string[] {
  if (!tracks) return ['-map', '0:V:0', '-map', '0:a:0?']
  const { video, audio } = tracks
  return ['-map', `0:i:${video}`, ...(audio === null ? [] : ['-map', `0:i:${audio}`])]
}

/** The arguments of the picture. ffmpeg applies edit list, rotation and mirror itself, before these filters. */
export function pictureArgs({ crop, pixelShape }: Shown, hdr: Transfer | undefined): string[] {
  const filters = [
    // Newer versions of ffmpeg apply the clean aperture themselves.
    ...(crop ? [cropOf(crop)] : []),
    ...(pixelShape === undefined ? [] : [`setsar=${Math.round(pixelShape * 1000)}/1000`]),
    fitted,
    ...(hdr ? [toneMapped(hdr)] : []),
  ]
  return ['-vf', filters.join(','), ...h264, ...(hdr ? taggedAsRec709 : [])]
}

function cropOf({ width, height, x, y }: NonNullable<Shown['crop']>): string {
  const [w, h] = [`min(iw\\,${width})`, `min(ih\\,${height})`]
  return `crop=w=${w}:h=${h}:x=if(gt(iw\\,${width})\\,${x}\\,0):y=if(gt(ih\\,${height})\\,${y}\\,0)`
}

/** The curve of a film's first frame if it is HDR, as the decoder finds it: of many formats nothing else can tell. */
export async function hdrOf(
  source: { input: string; demuxer: Demuxer; shown: Shown },
  folder: string,
): Promise<Transfer | undefined> {
  const file = `${folder}/first-frame.mp4`
  try {
    const { input, demuxer, shown } = source
    const picture = [...mapOf(shown).slice(0, 2), '-vf', 'scale=64:64', ...h264]
    const output = [...picture, '-frames:v', '1', '-f', 'mp4', `file:${file}`]
    if ((await ffmpeg({ input, demuxer, output }, FIRST_FRAME)) !== 'done') return undefined
    return await transferOf(file)
  } finally {
    await rm(file, { force: true })
  }
}

/** The curve of an MP4 that ffmpeg has written, if it is HDR; undefined also for an incomplete one. */
export async function transferOf(file: string): Promise<Transfer | undefined> {
  using read = new Input({ source: new FilePathSource(file), formats: [...ownMp4.formats] })
  const video = await read.getPrimaryVideoTrack().catch(() => null)
  const transfer = video ? await colourOf(video) : undefined
  return isHdr(transfer) ? transfer : undefined
}
