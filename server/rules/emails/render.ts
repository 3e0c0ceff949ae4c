// Renders an email of any kind as subject, text and HTML.
import type {
  AdjustmentEmail,
  Email,
  OldBalanceEmail,
  PayoutEmail,
  SellerEmail,
} from '#server/rules/email.ts'
import type { MembershipEmail } from '#server/rules/money/membership-email.ts'
import type { InquiryEmail } from '#server/rules/moderation/inquiry-email.ts'
import { adjustment } from './adjustment.ts'
import { changeEmailRequested, changeEmailCode, changeEmailTaken, emailChanged } from './address.ts'
import { bankAccountRemoved, bankAccountStored } from './bank-account.ts'
import { type EmailText, type RenderedEmail, renderFrame } from './frame.ts'
import { identityApproved, identityReceived, identityRejected } from './identity.ts'
import { deleted, deletionRequested, deletionUndone, exportReady } from './leaving.ts'
import { inquiryEmail } from './inquiry.ts'
import { measure } from './measure.ts'
import { notice } from './notice.ts'
import { notification } from './notification.ts'
import { membership } from './membership.ts'
import { oldBalance, payout } from './payout.ts'
import { boughtKept, purchase, refund, surplus } from './purchase.ts'
import { passwordChanged, resetCode } from './password.ts'
import { alreadyRegistered, confirmRegistration } from './registering.ts'
import { sellerEmail } from './seller.ts'
import { recovery } from './recovery.ts'
import { secondFactor } from './second-factor.ts'
import { staffAct } from './staff-act.ts'
import { statement } from './statement.ts'
import { newSignIn, passkeyAdded, passkeyRemoved, sessionEnded } from './signing-in.ts'

function textOf(email: Email, publicUrl: string): EmailText {
  switch (email.is) {
    case 'confirm_registration':
      return confirmRegistration(email.url)
    case 'already_registered':
      return alreadyRegistered(publicUrl)
    case 'reset_code':
      return resetCode(email.code, email.mailUrl)
    case 'password_changed':
      return passwordChanged(email.at, publicUrl)
    case 'new_sign_in':
      return newSignIn(email, publicUrl)
    case 'passkey_added':
      return passkeyAdded(email.name, email.at, publicUrl)
    case 'passkey_removed':
      return passkeyRemoved(email.name, email.at, publicUrl)
    case 'second_factor_on':
    case 'second_factor_off':
      return secondFactor(email, publicUrl)
    case 'recovery_begun':
    case 'recovery_confirmed':
    case 'recovery_done':
      return recovery(email, publicUrl)
    case 'staff_act':
      return staffAct(email, publicUrl)
    case 'session_ended':
      return sessionEnded(email, publicUrl)
    case 'change_email_code':
      return changeEmailCode(email.code)
    case 'change_email_taken':
      return changeEmailTaken(publicUrl)
    case 'change_email_asked':
      return changeEmailRequested(email.to, publicUrl)
    case 'email_changed':
      return emailChanged(email.to, email.at, publicUrl)
    case 'deletion_asked':
      return deletionRequested(email)
    case 'deletion_undone':
      return deletionUndone(email, publicUrl)
    case 'deleted':
      return deleted(email)
    case 'export_ready':
      return exportReady(email.url, email.expires)
    case 'notification':
      return notification(email, publicUrl)
    case 'measure':
    case 'suspension_link':
    case 'measure_undone':
    case 'appeal_answered':
      return measure(email)
    case 'notice':
      return notice(email, publicUrl)
    default:
      return otherTextOf(email, publicUrl)
  }
}

function otherTextOf(email: OtherEmail, publicUrl: string): EmailText {
  switch (email.is) {
    case 'identity_received':
      return identityReceived(publicUrl)
    case 'identity_approved':
      return identityApproved(publicUrl)
    case 'identity_rejected':
      return identityRejected(email.reason, email.note, publicUrl)
    case 'inquiry_confirm':
    case 'inquiry_received':
    case 'inquiry_question':
    case 'inquiry_opinion':
    case 'inquiry_decided':
    case 'inquiry_reopened':
      return inquiryEmail(email)
    default:
      return moneyTextOf(email, publicUrl)
  }
}

type OtherEmail =
  | Extract<Email, { is: 'identity_received' | 'identity_approved' | 'identity_rejected' }>
  | InquiryEmail
  | MoneyEmail

type MoneyEmail =
  | Extract<
      Email,
      {
        is:
          | 'purchase'
          | 'bought_kept'
          | 'surplus'
          | 'refund'
          | 'bank_account_stored'
          | 'bank_account_removed'
          | 'statement'
      }
    >
  | MembershipEmail
  | PayoutEmail
  | OldBalanceEmail
  | AdjustmentEmail
  | SellerEmail

function moneyTextOf(email: MoneyEmail, publicUrl: string): EmailText {
  switch (email.is) {
    case 'purchase':
      return purchase(email, publicUrl)
    case 'bought_kept':
      return boughtKept(email, publicUrl)
    case 'surplus':
      return surplus(email, publicUrl)
    case 'refund':
      return refund(email, publicUrl)
    case 'bank_account_stored':
      return bankAccountStored(email, publicUrl)
    case 'bank_account_removed':
      return bankAccountRemoved(email.at, publicUrl)
    case 'membership_joined':
    case 'membership_renewed':
    case 'membership_past_due':
    case 'membership_card':
    case 'membership_card_expires':
    case 'membership_cancelling':
    case 'membership_resumed':
    case 'membership_ended':
    case 'membership_next':
    case 'plan_closing':
    case 'plan_price':
      return membership(email, publicUrl)
    case 'payout_paid':
    case 'payout_returned':
    case 'payout_held':
    case 'payout_cancelled':
      return payout(email)
    case 'old_balance':
      return oldBalance(email)
    case 'statement':
      return statement(email)
    case 'sale_refunded':
    case 'sale_disputed':
    case 'dispute_won':
    case 'dispute_lost':
    case 'dispute_covered':
    case 'fee_rate':
    case 'complimentary':
    case 'complimentary_given':
      return adjustment(email)
    default:
      return sellerEmail(email)
  }
}

/**
 * Renders subject, text and HTML of an email.
 * @param name of the recipient; '' where the address may not be the person's
 * @param publicUrl public address of the app, without a slash at the end
 */
export function renderEmail(email: Email, name: string, publicUrl: string): RenderedEmail {
  return renderFrame(textOf(email, publicUrl), name)
}
