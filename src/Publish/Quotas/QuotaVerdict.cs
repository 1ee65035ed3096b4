namespace Gateway.Publish.Quotas;

/// <summary>The answer of <see cref="QuotaBook"/>.</summary>
internal enum QuotaVerdict
{
    Granted,

    /// <summary>The session, its user, certificate or address has as much as it may.</summary>
    HolderFull,

    /// <summary>Only the server's last sixth is left, and one of these holds more than a sixth (R46).</summary>
    Reserved,

    /// <summary>The server has nothing left.</summary>
    ServerFull,
}
