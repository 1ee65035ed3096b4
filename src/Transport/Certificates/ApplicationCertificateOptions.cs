namespace Gateway.Transport.Certificates;

/// <summary>Parameters of an application certificate that has to be made. An existing certificate is taken as it is.
/// </summary>
public sealed record ApplicationCertificateOptions
{
    public required string ApplicationUri { get; init; }

    public required string ApplicationName { get; init; }

    /// <summary>Further DNS names or IP addresses that clients reach this machine by.</summary>
    public IReadOnlyList<string> HostNames { get; init; } = [];

    /// <summary>Default 5 years: plants outlive the one year of the web, and expiry is warned about.</summary>
    public TimeSpan Lifetime { get; init; } = TimeSpan.FromDays(5 * 365);
}
