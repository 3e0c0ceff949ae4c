// useStill and useMotion: people stop and play moving pictures (WCAG 2.2.2).
import type { ImageView } from '#contract/posts/media.ts'
import { createStore, useStore } from '#src/lib/store.ts'
import { mediaText } from './text.ts'

/** A picture, also one on this device alone; `still` is the address of its first frame if it moves. */
type Stoppable = { readonly id: string; readonly still?: string | undefined }
type Moving = Pick<ImageView, 'id' | 'still' | 'state'>

/** Whether a person has played (true) or stopped (false) a picture, by its id: the same in the feed, the post and the viewer. */
const choices = createStore<ReadonlyMap<string, boolean>>(new Map())

const reducesMotion = matchMedia('(prefers-reduced-motion: reduce)')
/** Whether the device asks for less motion, so that pictures move only on request. */
const reduced = createStore(reducesMotion.matches, (set) => {
  const onChange = () => set(reducesMotion.matches)
  onChange()
  reducesMotion.addEventListener('change', onChange)
  return () => reducesMotion.removeEventListener('change', onChange)
})

/** Returns the address of a moving picture's first frame while it is stopped; undefined for any other. */
export function useStill(): (image: Stoppable) => string | undefined {
  const chosen = useStore(choices)
  const isReduced = useStore(reduced)
  return ({ id, still }) => ((chosen.get(id) ?? !isReduced) ? undefined : still)
}

/** What a button of moving pictures does now. */
interface Motion {
  readonly moves: boolean
  readonly label: string
  readonly toggle: () => void
}

/** How a person stops these pictures if one of them moves, or plays them; undefined when none is a moving one. */
export function useMotion(images: readonly Moving[]): Motion | undefined {
  const still = useStill()
  const moving = images.filter((it) => it.state === 'ready' && it.still !== undefined)
  if (moving.length === 0) return undefined
  const moves = moving.some((it) => still(it) === undefined)
  return {
    moves,
    label: moves ? mediaText.stop : mediaText.play,
    toggle: () => choices.set(new Map([...choices.get(), ...moving.map((it) => [it.id, !moves] as const)])),
  }
}
