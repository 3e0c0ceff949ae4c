// Pictures: cover and avatar of the own profile, to be changed.
import { ShownPicture } from '#src/domain/media/shown-picture.tsx'
import { Avatar } from '#src/ui/avatar.tsx'
import { PictureField } from './picture-field.tsx'

export function Pictures({ name }: { name: string }) {
  return (
    <div>
      <PictureField of="cover" className="relative aspect-3/1 w-full overflow-hidden bg-sunk">
        {(src) => src !== null && <ShownPicture src={src} alt="" />}
      </PictureField>
      <div className="px-4 rail:px-6">
        <PictureField of="avatar" className="relative -mt-11 inline-block">
          {(src) => <Avatar name={name} src={src} size={88} className="box-content border-4 border-paper" />}
        </PictureField>
      </div>
    </div>
  )
}
