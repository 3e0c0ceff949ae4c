// PickedTile: the editor's tile and messages about a picked file, for /dev/media.
import { CutOff, Refused } from '#src/features/publish/files/media-strip.tsx'
import { MediaTile } from '#src/features/publish/files/media-tile.tsx'
import type { PickedInEditor } from './pick-in-editor.ts'

const nothing = () => undefined
const handlers = {
  onPointerDown: nothing,
  onPointerMove: nothing,
  onPointerUp: nothing,
  onPointerCancel: nothing,
}

export function PickedTile({ items, frame, refused }: PickedInEditor) {
  return (
    <>
      {/* The draft is gone, so that nothing can be changed in the tile. */}
      <ul inert className="flex justify-center">
        {items.map((item) => (
          <MediaTile
            key={item.media.id}
            item={item}
            poster={frame?.preview?.src ?? null}
            index={0}
            count={1}
            shift={0}
            isDragged={false}
            isShifting={false}
            handlers={handlers}
            onMove={nothing}
            onRemove={nothing}
            onDescribe={nothing}
          />
        ))}
      </ul>
      <CutOff items={items} />
      <Refused refused={refused} />
    </>
  )
}
