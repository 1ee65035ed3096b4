namespace Gateway.Sources.OpcUa;

/// <summary>Which bound an upstream's answers met; each but <see cref="MaxNodes"/> is the property of
/// <see cref="UpstreamLimits"/> with that name. Metrics write them in <c>snake_case</c>.</summary>
public enum UpstreamBound
{
    MaxUpstreamReferences,

    MaxUpstreamBrowseBytes,

    MaxUpstreamBrowseRounds,

    MaxUpstreamEmptyAnswers,

    MaxUpstreamBrowseTime,

    MaxUpstreamDataTypes,

    MaxUpstreamNamespaces,

    MaxUpstreamTextLength,

    MaxUpstreamArgumentBytes,

    MaxUpstreamValueBytes,

    MaxUpstreamHeldBytes,

    MaxUpstreamAnswerBytes,

    MaxUpstreamNotifications,

    MaxUpstreamValuesPerSecond,

    MaxUpstreamEmptyPublishes,

    MaxUpstreamEndpoints,

    MaxUpstreamEventsPerSecond,

    MaxUpstreamPendingEvents,

    MaxUpstreamPendingEventBytes,

    MaxUpstreamEventBytes,

    MaxUpstreamEventFields,

    MaxUpstreamRefreshTime,

    MaxUpstreamConditions,

    MaxUpstreamConditionBytes,

    /// <summary><c>Upstreams:n:MaxNodes</c>.</summary>
    MaxNodes,
}
