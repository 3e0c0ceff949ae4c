// FeedVideo: the poster of a video in a feed; a press opens the player.
import { Play } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import type { VideoView } from '#contract/posts/media.ts'
import { useFailedSource } from '#src/lib/failed-source.ts'
import { playingTime } from '#src/lib/format.ts'
import { errorText } from '#src/domain/api/errors-text.ts'
import { postText as words } from '#src/features/posts/text.ts'
import { Badge } from '#src/ui/badge.tsx'
import { cx } from '#src/ui/cx.ts'
import { Spinner } from '#src/ui/states/spinner.tsx'
import { toast } from '#src/ui/overlays/toast.ts'
import { Broken } from './picture.tsx'
import { usePlaceholder } from '#src/domain/media/placeholder.ts'
import type { PlayerProps } from './player.tsx'
import { Waiting } from './waiting.tsx'

const loadPlayer = () => import('./player.tsx')
/** Loads the player before a press, so that it starts within the press. */
const preload = () => void loadPlayer().catch(() => undefined)

export function FeedVideo({ video }: { video: VideoView }) {
  const [Player, setPlayer] = useState<ComponentType<PlayerProps>>()
  const [busy, setBusy] = useState(false)
  if (video.state !== 'ready' || video.src === null)
    return <Waiting state={video.state === 'processing' ? 'processing' : 'failed'} of={video} />
  if (Player) return <Player video={video} starts />
  async function press() {
    setBusy(true)
    try {
      const it = await loadPlayer()
      setPlayer(() => it.Player)
    } catch {
      toast(errorText.offline, 'error')
    }
    setBusy(false)
  }
  return <Poster video={video} busy={busy} onPress={() => void press()} />
}

interface PosterProps {
  video: VideoView
  busy: boolean
  onPress: () => void
}

function Poster({ video, busy, onPress }: PosterProps) {
  const { duration } = video
  return (
    <button
      type="button"
      aria-busy={busy}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={busy ? undefined : onPress}
      style={{ aspectRatio: video.width && video.height ? `${video.width} / ${video.height}` : '16 / 9' }}
      className="group relative mx-auto block max-h-[80dvh] w-full overflow-hidden bg-black focus-visible:-outline-offset-2"
    >
      <Still video={video} />
      <span className="sr-only">{video.alt ? `${video.alt}（${words.playVideo}）` : words.playVideo}</span>
      <span className="absolute inset-0 grid place-items-center">
        <span
          className={cx(
            'grid size-14 place-items-center rounded-pill bg-black/60 text-white transition-colors',
            !busy && 'group-hover:bg-black/80',
          )}
        >
          {busy ? (
            <Spinner size={24} />
          ) : (
            <Play aria-hidden size={24} fill="currentColor" className="ml-0.5" />
          )}
        </span>
      </span>
      {duration !== null && (
        <span className="absolute right-3 bottom-3">
          <Badge look="over">
            <span className="tabular-nums">{playingTime(duration)}</span>
          </Badge>
        </span>
      )}
    </button>
  )
}

/** The poster, or a text when it fails to load (section 8); the video may still play. */
function Still({ video: { poster, placeholder } }: Pick<PosterProps, 'video'>) {
  // By URL, since a later URL of the server may load.
  const [loaded, setLoaded] = useState<string>()
  const [isFailed, fail] = useFailedSource(poster)
  const style = usePlaceholder(placeholder, 'contain', poster === null || loaded !== poster)
  if (poster === null) return <span style={style} className="absolute inset-0" />
  if (isFailed) return <Broken className="absolute inset-0 items-end pb-4" />
  return (
    <img
      src={poster}
      alt=""
      loading="lazy"
      decoding="async"
      onLoad={() => setLoaded(poster)}
      onError={fail}
      style={style}
      className="absolute inset-0 size-full object-contain"
    />
  )
}
