namespace Gateway.Operations.Access;

/// <summary>A right on the gateway itself, as opposed to its nodes. <see cref="AccessPolicy"/> says
/// which roles have it.</summary>
public enum GatewayPermission
{
    /// <summary>Versions, namespaces, limits, health, upstreams.</summary>
    ReadState,

    /// <summary>Sessions, connections and subscriptions, without the users and certificates behind them.</summary>
    ReadClients,

    /// <summary>The users and certificates behind sessions, connections and subscriptions.</summary>
    ReadIdentities,

    /// <summary>To end sessions and connections.</summary>
    EndClients,

    /// <summary>The values of the configuration, secrets aside.</summary>
    ReadConfiguration,

    /// <summary>To have a configuration checked, and to have it read again.</summary>
    ManageConfiguration,

    /// <summary>To see, trust, reject and delete certificates.</summary>
    ManageCertificates,

    /// <summary>To have the gateway try a connection to a server that is not configured.</summary>
    TestUpstreams,

    /// <summary>To get audit events, on an encrypted channel.</summary>
    ReadAudit,

    /// <summary>To acknowledge, confirm, comment and shelve alarms.</summary>
    AnswerAlarms,

    /// <summary>To suppress alarms, to take them out of service, to disable them.</summary>
    ManageAlarms,
}
