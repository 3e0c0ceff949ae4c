// useResume: continues conversions of closed pages, on every page of the app.
import { useEffect } from 'react'
import { onChange } from '#device/database/changes.ts'
import { hasUnconverted } from '#device/files/conversions.ts'

export function useResume(ownerId: string): void {
  useEffect(() => {
    const resumeIfNeeded = async () => {
      if (!(await hasUnconverted(ownerId))) return
      // Loaded only if a photo waits for its conversion.
      const { resumePicked } = await import('./resume.ts')
      await resumePicked(ownerId)
    }
    const start = () => void resumeIfNeeded().catch((error: unknown) => console.error('Upload error!', error))
    start()
    // A photo of another tab is converted here if that tab is closed.
    return onChange((change) => {
      if (change.store === 'media') start()
    })
  }, [ownerId])
}
