// MediaGrid: places of the images and videos of one message.
import type { ReactNode } from 'react'

export interface GridFile {
  readonly id: string
  readonly isVideo: boolean
  readonly shown: ReactNode
}

/** Images in two columns, then the video. Before and after its delivery a message has the same places. */
export function MediaGrid({ files }: { files: readonly GridFile[] }) {
  const images = files.filter((it) => !it.isVideo)
  return (
    <div className="my-1 flex w-64 max-w-full flex-col gap-1 rail:w-80">
      {images.length > 0 && (
        <ul className={images.length === 1 ? 'grid' : 'grid grid-cols-2 gap-1'}>
          {images.map((it) => (
            <li key={it.id} className="aspect-4/3 overflow-hidden rounded-field bg-sunk">
              {it.shown}
            </li>
          ))}
        </ul>
      )}
      {files.map(
        (it) =>
          it.isVideo && (
            <div key={it.id} className="aspect-video overflow-hidden rounded-field bg-sunk">
              {it.shown}
            </div>
          ),
      )}
    </div>
  )
}
