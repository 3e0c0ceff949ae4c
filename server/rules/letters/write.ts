// Writes a letter: which words each kind has.
import type { Letter } from '#server/rules/letter.ts'
import { changeEmailAsked, changeEmailCode, changeEmailTaken, emailChanged } from './email.ts'
import { type LetterWords, type WrittenLetter, writtenLetter } from './frame.ts'
import { identityApproved, identityReceived, identityRejected } from './identity.ts'
import { deleted, deletionAsked, deletionUndone, exportReady } from './leaving.ts'
import { notification } from './notification.ts'
import { passwordChanged, resetCode } from './password.ts'
import { alreadyRegistered, confirmRegistration } from './registering.ts'
import { newSignIn, passkeyAdded, passkeyRemoved, sessionEnded } from './signing-in.ts'

function wordsOf(letter: Letter, publicUrl: string): LetterWords {
  switch (letter.is) {
    case 'confirm_registration':
      return confirmRegistration(letter.url)
    case 'already_registered':
      return alreadyRegistered(publicUrl)
    case 'reset_code':
      return resetCode(letter.code, letter.mailUrl)
    case 'password_changed':
      return passwordChanged(letter.at, publicUrl)
    case 'new_sign_in':
      return newSignIn(letter, publicUrl)
    case 'passkey_added':
      return passkeyAdded(letter.name, letter.at, publicUrl)
    case 'passkey_removed':
      return passkeyRemoved(letter.name, letter.at, publicUrl)
    case 'session_ended':
      return sessionEnded(letter, publicUrl)
    case 'change_email_code':
      return changeEmailCode(letter.code)
    case 'change_email_taken':
      return changeEmailTaken(publicUrl)
    case 'change_email_asked':
      return changeEmailAsked(letter.to, publicUrl)
    case 'email_changed':
      return emailChanged(letter.to, letter.at, publicUrl)
    case 'deletion_asked':
      return deletionAsked(letter.due, letter.undoUrl)
    case 'deletion_undone':
      return deletionUndone(publicUrl)
    case 'deleted':
      return deleted()
    case 'export_ready':
      return exportReady(letter.url, letter.expires)
    case 'notification':
      return notification(letter, publicUrl)
    case 'identity_received':
      return identityReceived(publicUrl)
    case 'identity_approved':
      return identityApproved(publicUrl)
    case 'identity_rejected':
      return identityRejected(letter.reason, letter.note, publicUrl)
    default:
      return letter satisfies never
  }
}

/**
 * Subject, text and HTML of a letter.
 * @param name the reader's, or '' where the address may be a stranger's
 * @param publicUrl where people reach the app, without a slash at the end
 */
export function writeLetter(letter: Letter, name: string, publicUrl: string): WrittenLetter {
  return writtenLetter(wordsOf(letter, publicUrl), name)
}
