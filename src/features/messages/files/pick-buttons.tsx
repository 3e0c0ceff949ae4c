// PickButtons: inputs for files of the device and, on touch screens, for its camera.
import { Camera, ImagePlus, Images, Video } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import { acceptedMedia } from '#src/domain/media/accepted.ts'
import { mediaText } from '#src/domain/media/text.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu } from '#src/ui/overlays/menu.tsx'
import { messageFilesText as words } from './text.ts'

interface PickButtonsProps {
  readonly onPick: (files: File[]) => void
}

const icon = { 'aria-hidden': true, size: 20 } as const

export function PickButtons({ onPick }: PickButtonsProps) {
  const library = useRef<HTMLInputElement>(null)
  const photo = useRef<HTMLInputElement>(null)
  const video = useRef<HTMLInputElement>(null)
  const button = <IconButton label={words.add} icon={<ImagePlus aria-hidden size={22} />} />
  return (
    <>
      {/* On devices without a touch screen a camera input opens the file dialog. */}
      <span className="pointer-coarse:hidden">
        <IconButton
          label={words.add}
          icon={<ImagePlus aria-hidden size={22} />}
          onClick={() => library.current?.click()}
        />
      </span>
      <span className="hidden pointer-coarse:block">
        <Menu
          trigger={button}
          side="top"
          items={[
            {
              is: 'action',
              label: words.choose,
              icon: <Images {...icon} />,
              onSelect: () => library.current?.click(),
            },
            {
              is: 'action',
              label: mediaText.takePhoto,
              icon: <Camera {...icon} />,
              onSelect: () => photo.current?.click(),
            },
            {
              is: 'action',
              label: mediaText.takeVideo,
              icon: <Video {...icon} />,
              onSelect: () => video.current?.click(),
            },
          ]}
        />
      </span>
      <Input input={library} accept={acceptedMedia} multiple onPick={onPick} />
      <Input input={photo} accept="image/*" capture="environment" onPick={onPick} />
      <Input input={video} accept="video/*" capture="environment" onPick={onPick} />
    </>
  )
}

interface InputProps extends PickButtonsProps {
  readonly input: RefObject<HTMLInputElement | null>
  readonly accept: string
  readonly multiple?: boolean
  readonly capture?: 'environment'
}

/** An input that the buttons open. */
function Input({ input, accept, multiple = false, capture, onPick }: InputProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      accept={accept}
      multiple={multiple}
      capture={capture}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])]
        // Allows picking the same file again after its removal.
        event.target.value = ''
        if (files.length > 0) onPick(files)
      }}
    />
  )
}
