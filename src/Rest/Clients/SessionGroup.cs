namespace Gateway.Rest.Clients;

/// <summary>The sessions that have a user, an address, an application or a certificate in common. Immutable.</summary>
/// <param name="Key">The user, address, application or thumbprint; empty: they have none.</param>
internal sealed record SessionGroup(string Key)
{
    /// <summary>Of the certificate that they have in common; empty otherwise.</summary>
    public string Subject { get; init; } = "";

    public int Sessions { get; init; }

    /// <summary>Of them, those whose connection is gone.</summary>
    public int Waiting { get; init; }

    public int Subscriptions { get; init; }

    public int MonitoredItems { get; init; }

    public long QueueCapacity { get; init; }

    public long QueueOverflows { get; init; }

    public long Notifications { get; init; }

    /// <summary>Of the sessions that were there at the look before, too; null: there was none.</summary>
    public double? NotificationsPerSecond { get; init; }

    public int LateSubscriptions { get; init; }

    public long LateCycles { get; init; }

    /// <summary>Of the oldest.</summary>
    public DateTime Since { get; init; }
}
