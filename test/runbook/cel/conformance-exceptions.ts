/** Cases of the specification that the library does not pass, and what that means for a runbook. */
export const exceptions: readonly { readonly reason: string; readonly cases: readonly string[] }[] = [
  {
    reason: 'whole numbers beyond 2^53 are compared with fractions as fractions; no field of Kubernetes is that large',
    cases: [
      'comparisons/lt_literal/not_lt_dyn_int_big_lossy_double',
      'comparisons/gt_literal/not_gt_dyn_big_double_int',
      'comparisons/lte_literal/lte_dyn_big_double_int',
      'comparisons/gte_literal/gte_dyn_int_big_lossy_double',
    ],
  },
  {
    reason: 'a result outside of 64 bits is not an error everywhere',
    cases: [
      'conversions/int/double_int_max_range',
      'conversions/int/double_int_min_range',
      'conversions/int/double_range',
      'conversions/uint/double_uint_max_range',
      'integer_math/int64_math/int64_min_negate',
      'integer_math/int64_math/int64_min_negate_div',
    ],
  },
  {
    reason: 'a fraction needs its leading zero: 0.99; it is refused when the runbook is loaded',
    cases: ['comparisons/gt_literal/not_gt_double'],
  },
  {
    reason:
      'no conversion from times and durations to other types; it is refused when the runbook is loaded (${...} writes durations by itself)',
    cases: [
      'conversions/int/timestamp',
      'conversions/identity/duration',
      'conversions/identity/timestamp',
      'timestamps/timestamp_conversions/toInt_timestamp',
      'timestamps/timestamp_conversions/toString_timestamp',
      'timestamps/timestamp_conversions/toString_timestamp_nanos',
      'timestamps/duration_conversions/toString_duration',
    ],
  },
  { reason: 'has() wants a name in front; it is refused when the runbook is loaded', cases: ['fields/map_has/has_empty'] },
  {
    reason: 'no field names in backquotes: a label is read as labels["app.kubernetes.io/name"]; it is refused when the runbook is loaded',
    cases: [
      'fields/quoted_map_fields/field_access_slash',
      'fields/quoted_map_fields/field_access_dash',
      'fields/quoted_map_fields/field_access_dot',
      'fields/quoted_map_fields/has_field_slash',
      'fields/quoted_map_fields/has_field_dash',
      'fields/quoted_map_fields/has_field_dot',
    ],
  },
  {
    reason: 'variables have no dots in their names, and runbooks declare none that have',
    cases: [
      'fields/qualified_identifier_resolution/qualified_ident',
      'fields/qualified_identifier_resolution/map_field_select',
      'fields/qualified_identifier_resolution/ident_with_longest_prefix_check',
    ],
  },
  {
    reason:
      'keys of a map that is written in the expression become text, and the last of two equal ones counts; Kubernetes has text keys only',
    cases: [
      'fields/qualified_identifier_resolution/map_key_float',
      'fields/qualified_identifier_resolution/map_key_null',
      'fields/qualified_identifier_resolution/map_value_repeat_key',
      'macros/exists_one/map_one',
    ],
  },
  {
    reason: 'an empty list that is written in the expression has elements of no type; it is refused when the runbook is loaded',
    cases: ['macros/all/list_empty'],
  },
  { reason: 'an offset of a time zone needs its sign: "+02:00"', cases: ['timestamps/timestamp_selectors_tz/getHours'] },
  {
    reason: 'a duration is added to a time, not the other way round; it is refused when the runbook is loaded',
    cases: ['timestamps/timestamp_arithmetic/add_time_to_duration'],
  },
  {
    reason: 'times are exact to the millisecond; Kubernetes writes whole seconds',
    cases: ['timestamps/timestamp_arithmetic/add_time_to_duration_nanos_positive'],
  },
  {
    reason: 'times before year 1, after year 9999 and durations of more than 10000 years are not refused',
    cases: [
      'timestamps/timestamp_range/add_duration_under',
      'timestamps/timestamp_range/add_duration_over',
      'timestamps/timestamp_range/add_duration_nanos_over',
      'timestamps/timestamp_range/add_duration_nanos_under',
      'timestamps/timestamp_range/sub_time_duration_over',
      'timestamps/timestamp_range/sub_time_duration_under',
      'timestamps/duration_range/from_string_under',
      'timestamps/duration_range/from_string_over',
      'timestamps/duration_range/add_under',
      'timestamps/duration_range/add_over',
      'timestamps/duration_range/sub_under',
      'timestamps/duration_range/sub_over',
    ],
  },
];
