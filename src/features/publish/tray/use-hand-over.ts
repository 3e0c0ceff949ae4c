// useHandOver: hands large submitted uploads to the browser, which sends them while the app is closed.
import { useEffect } from 'react'
import { onChange } from '#device/database/changes.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { canHandOver, createHandOvers } from './hand-overs.ts'

export function useHandOver(ownerId: string): void {
  useEffect(() => {
    if (!('BackgroundFetchManager' in window)) return undefined
    const handOvers = createHandOvers()
    const start = async () => {
      const jobs = (await listJobs(ownerId)).filter(canHandOver)
      if (jobs.length > 0) await handOvers.run(jobs)
    }
    const startNow = () => void start().catch((error: unknown) => console.error('Upload error!', error))
    startNow()
    const stopListening = onChange((change) => {
      if (change.store === 'jobs' || change.store === 'media') startNow()
    })
    return () => {
      stopListening()
      handOvers.stop()
    }
  }, [ownerId])
}
