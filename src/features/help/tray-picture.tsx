// TrayPicture: a drawn phone with a post that is being sent.
import { Play } from 'lucide-react'
import { aboutText } from './about-text.ts'

const words = aboutText.tray

export function TrayPicture() {
  return (
    <figure className="mx-auto w-full max-w-72 overflow-hidden rounded-[28px] border-2 border-ink bg-paper">
      <figcaption className="sr-only">{aboutText.trayLabel}</figcaption>
      <div className="mx-auto mt-2 h-1 w-12 rounded-pill bg-line" />
      <div className="px-4 pt-4 pb-3">
        <div className="flex items-center gap-2.5">
          <span className="grid size-8 place-items-center rounded-pill bg-sunk text-xs font-semibold">
            {words.name.slice(0, 1)}
          </span>
          <span className="text-sm font-semibold">{words.name}</span>
        </div>
        <p className="mt-2.5 text-sm">{words.line}</p>
      </div>
      <Sea />
      <div className="border-t border-line bg-raised px-4 pt-3 pb-5">
        <p className="text-sm font-semibold tabular-nums">{words.percent}</p>
        <span className="mt-2 block h-1 overflow-hidden rounded-pill bg-line">
          <span className="block h-full w-[42%] bg-ink" />
        </span>
        <p className="mt-2 text-xs text-soft">{words.promise}</p>
      </div>
    </figure>
  )
}

/** The video of the picture: the sun over the sea. */
function Sea() {
  return (
    <div className="relative">
      <svg aria-hidden viewBox="0 0 288 172" className="block w-full">
        <rect width="288" height="172" className="fill-sunk" />
        <circle cx="144" cy="104" r="42" className="fill-seal" />
        <rect y="104" width="288" height="68" className="fill-line" />
        <g className="stroke-paper" strokeWidth="3" strokeLinecap="round">
          <path d="M112 120h64M124 133h40M134 146h20" />
        </g>
        <g fill="none" className="stroke-soft" strokeWidth="2" strokeLinecap="round">
          <path d="M18 128c10-8 20-8 30 0s20 8 30 0M206 142c10-8 20-8 30 0s20 8 30 0" />
        </g>
      </svg>
      <span className="absolute inset-0 m-auto grid size-12 place-items-center rounded-pill bg-paper text-ink">
        <Play aria-hidden size={22} />
      </span>
    </div>
  )
}
