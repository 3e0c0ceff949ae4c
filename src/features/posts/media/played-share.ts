// How much of a video was played.

type Played = Pick<HTMLMediaElement, 'duration'> & {
  /** The browser's list of played ranges, which do not overlap, s. */
  readonly played: Pick<TimeRanges, 'length' | 'start' | 'end'>
}

/** The played part of a video, 0 to 1; 0 while its length is not known. A part that is played twice counts once. */
export function playedShare({ duration, played }: Played): number {
  if (!Number.isFinite(duration) || duration <= 0) return 0
  let seconds = 0
  for (let i = 0; i < played.length; i++) seconds += played.end(i) - played.start(i)
  return Math.min(1, seconds / duration)
}
