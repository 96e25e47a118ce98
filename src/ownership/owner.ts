/** Somebody else who decides over an object, found on the object or near it. */
export interface Owner {
  /** Stable, CamelCase: `ScaledByAutoscaler`. */
  readonly code: string;
  /** Who, over what, and what they would do to a change; one line. */
  readonly reason: string;
  /** How to take the object out of their hands, or where to make the change instead. */
  readonly nextSteps: readonly string[];
  /** `undoes`: would put a change back. `mention`: changes it only when somebody acts, or is paused. */
  readonly effect: 'undoes' | 'mention';
}
