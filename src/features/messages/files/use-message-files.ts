// useMessageFiles: the files picked for the next message of a conversation.
import { useEffect, useEffectEvent, useState } from 'react'
import { onDatabaseLost } from '#device/database/database-state.ts'
import { convertAgain, sendAsPicked } from '#device/files/conversions.ts'
import { copiedPart } from '#device/files/chunks.ts'
import type { Media } from '#device/database/schema.ts'
import {
  type Between,
  isMissing,
  isReadyToSend,
  readMessageDraft,
  removeMessageFile,
} from '#device/jobs/message.ts'
import { findLost } from '#src/domain/media/lost.ts'
import { useDeviceRead } from '#src/domain/queries/device-query.ts'
import type { RefusedFile } from './pick-problem.ts'
import { useReadPreviews } from './previews.ts'

/** What a picked file waits for. */
export type PickedState =
  | { readonly is: 'ready' }
  /** It is copied to the device; `share` of it, 0..1. */
  | { readonly is: 'copying'; readonly share: number }
  | { readonly is: 'converting' }
  | { readonly is: 'unconverted'; readonly format: string }
  /** Copying was interrupted: it has to be picked again. */
  | { readonly is: 'lost' }

export interface PickedItem {
  readonly media: Media
  readonly state: PickedState
}

export interface MessageFiles {
  /** In the order of the message. */
  readonly items: readonly PickedItem[]
  /** Files that are not in the list yet. */
  readonly adding: number
  readonly refused: readonly RefusedFile[]
  /** Whether there are files and each can be sent. */
  readonly areReady: boolean
  readonly isEmpty: boolean
  readonly add: (files: readonly File[]) => void
  readonly remove: (mediaId: string) => void
  readonly convertAgain: (mediaId: string) => void
  readonly sendAsPicked: (mediaId: string) => void
  /** Stores the shown files again if the browser has cleared them, and names those that this page does not have. */
  readonly restore: () => void
  /** The message is sent: what was refused for it is no longer shown. */
  readonly sent: () => void
}

const none: readonly PickedItem[] = []

export function useMessageFiles(between: Between): MessageFiles {
  const [adding, setAdding] = useState(0)
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])
  const items = useItems(between)
  async function add(files: readonly File[]) {
    setRefused([])
    setAdding((before) => before + files.length)
    const { addFile } = await import('./intake.ts')
    for (const file of files)
      void addFile(between, file)
        .then((why) => why && setRefused((before) => [...before, { name: file.name, why }]))
        .finally(() => setAdding((before) => before - 1))
  }
  async function restoreMissing() {
    const shown = items.map(({ media }) => media)
    if (shown.length === 0 || !(await isMissing(between, shown))) return
    setAdding((before) => before + shown.length)
    const { restoreFiles } = await import('./intake.ts')
    const lost = await restoreFiles(between, shown).finally(() =>
      setAdding((before) => before - shown.length),
    )
    setRefused(lost)
  }
  const restore = () => void restoreMissing().catch((error: unknown) => console.error('Upload error!', error))
  const onLost = useEffectEvent(restore)
  useEffect(() => onDatabaseLost(onLost), [])
  const isShown = ({ name }: RefusedFile) => items.some(({ media }) => media.name === name)
  return {
    items,
    adding,
    // The tab that has picked an evicted file stores it again.
    refused: refused.filter((it) => it.why !== 'evicted' || !isShown(it)),
    restore,
    areReady: items.length > 0 && adding === 0 && items.every(({ state }) => state.is === 'ready'),
    isEmpty: items.length + adding === 0,
    add: (files) => void add(files),
    remove: (mediaId) => {
      setRefused([])
      const draftId = items.find(({ media }) => media.id === mediaId)?.media.draftId
      if (draftId !== undefined) void removeMessageFile(draftId, mediaId)
    },
    convertAgain: (mediaId) => void convertOnce(between.ownerId, mediaId),
    sendAsPicked: (mediaId) => void sendAsPicked(mediaId),
    sent: () => setRefused([]),
  }
}

async function convertOnce(ownerId: string, mediaId: string): Promise<void> {
  await convertAgain(mediaId)
  const { convertPicked } = await import('#src/domain/media/prepare/convert.ts')
  await convertPicked(ownerId)
}

function useItems(between: Between): readonly PickedItem[] {
  const found = useDeviceRead({
    key: ['messageDraft', between.ownerId, between.recipientId],
    read: async () => {
      const media = (await readMessageDraft(between))?.media ?? []
      const lost = await findLost(media)
      const items = media.map((row): PickedItem => ({ media: row, state: stateOf(row, lost) }))
      return { items, media }
    },
    isAbout: ({ store }) => store === 'messageDrafts' || store === 'media' || store === 'chunks',
    alsoOn: onDatabaseLost,
  })
  useReadPreviews(found?.media ?? noMedia)
  return found?.items ?? none
}

const noMedia: readonly Media[] = []

function stateOf(row: Media, lost: ReadonlySet<string>): PickedState {
  const { bytes, conversion } = row
  if (lost.has(row.id)) return { is: 'lost' }
  if (bytes.is === 'copying') return { is: 'copying', share: copiedPart(row) }
  if (conversion.is === 'failed') return { is: 'unconverted', format: conversion.format }
  return isReadyToSend(row) ? { is: 'ready' } : { is: 'converting' }
}
