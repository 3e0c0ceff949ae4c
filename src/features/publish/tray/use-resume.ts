// useResume: continues conversions that a closed page left unfinished, on any page of the app.
import { useEffect } from 'react'
import { onChange } from '#device/database/changes.ts'
import { hasUnconverted } from '#device/files/conversions.ts'

export function useResume(ownerId: string): void {
  useEffect(() => {
    const look = async () => {
      if (!(await hasUnconverted(ownerId))) return
      // Loaded only where there is something to do.
      const { resumePicked } = await import('./resume.ts')
      await resumePicked(ownerId)
    }
    const start = () => void look().catch((error: unknown) => console.error('Upload error!', error))
    start()
    // A photo that another tab picked: should that tab be closed, this one converts it.
    return onChange((change) => {
      if (change.store === 'media') start()
    })
  }, [ownerId])
}
