// Reads from a film what decides whether its packets may be copied.
import { EncodedPacketSink, type InputTrack, type InputVideoTrack } from 'mediabunny'
import type { IsoTrack } from '#contract/kinds/iso-presentation.ts'
import { countShown, everything, type Linear, type Span, spanOf, type VideoFacts } from './presentation.ts'

/** The transfer characteristics of a track; undefined where it does not say them. */
export async function colourOf(track: InputVideoTrack): Promise<string | undefined> {
  return (await track.getColorSpace()).transfer ?? undefined
}

export const isHdr = (transfer: string | undefined): transfer is 'hlg' | 'pq' =>
  transfer === 'hlg' || transfer === 'pq'

/** The linear part of a track's display matrix. */
async function linearOf(track: InputVideoTrack): Promise<Linear> {
  const [a, b, , c, d] = await track.getTransformationMatrix()
  return [a, b, c, d]
}

/** The shown part of a track. Other containers than ISO have no edit lists. */
export const shownSpan = (iso: IsoTrack | undefined): Span => spanOf(iso?.edits ?? []) ?? everything

/** How many packets of a track are shown, and how many are not. */
export function countPackets(track: InputTrack, span: Span): Promise<{ shown: number; hidden: number }> {
  const sink = new EncodedPacketSink(track)
  return countShown(sink.packets(undefined, undefined, { metadataOnly: true }), span)
}

/** @param iso the track in an MP4 or MOV */
export async function videoFacts(
  track: InputVideoTrack,
  iso: IsoTrack | undefined,
  hidden: number,
): Promise<VideoFacts> {
  return {
    edits: iso?.edits ?? [],
    hidden,
    linear: await linearOf(track),
    crop: iso?.crop,
    pixelShape: iso?.pixelShape,
    descriptions: iso?.descriptions ?? 1,
  }
}
