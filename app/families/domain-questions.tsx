/** What the first step asks beside the domain, of families that are sold to one. */
export { TransferFields as DomainQuestions, type TransferView } from "./google/transfer-fields.tsx";
