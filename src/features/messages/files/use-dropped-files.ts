// useDroppedFiles: files that are dropped onto a conversation or pasted into it.
import { useEffect, useEffectEvent, useState, type RefObject } from 'react'

/**
 * @param box the conversation
 * @param onFiles undefined while nothing can be sent
 * @returns whether files are being dragged over the box
 */
export function useDroppedFiles(
  box: RefObject<HTMLElement | null>,
  onFiles: ((files: File[]) => void) | undefined,
): boolean {
  const [depth, setDepth] = useState(0)
  const take = useEffectEvent((event: Event, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])]
    if (!onFiles || files.length === 0) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const onPaste = (event: ClipboardEvent) => {
      // Copied words of an office program come with a picture of them; dialogs have fields of their own.
      const isText = event.clipboardData?.types.includes('text/plain') === true
      const isInDialog = event.target instanceof Element && event.target.closest('[role$=dialog]')
      if (!isText && !isInDialog) take(event, event.clipboardData)
    }
    const listeners = {
      dragenter: (event: DragEvent) => {
        if (hasFiles(event)) setDepth((before) => before + 1)
      },
      dragleave: (event: DragEvent) => {
        if (hasFiles(event)) setDepth((before) => Math.max(0, before - 1))
      },
      // The browser opens a dropped file in place of the app unless this is prevented.
      dragover: (event: DragEvent) => {
        if (hasFiles(event)) event.preventDefault()
      },
      drop: (event: DragEvent) => {
        setDepth(0)
        if (!hasFiles(event)) return
        event.preventDefault()
        take(event, event.dataTransfer)
      },
    }
    const over = new AbortController()
    const { signal } = over
    document.addEventListener('paste', onPaste, { signal })
    element.addEventListener('dragenter', listeners.dragenter, { signal })
    element.addEventListener('dragleave', listeners.dragleave, { signal })
    element.addEventListener('dragover', listeners.dragover, { signal })
    element.addEventListener('drop', listeners.drop, { signal })
    return () => over.abort()
  }, [box])
  return depth > 0 && onFiles !== undefined
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true
