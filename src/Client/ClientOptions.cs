using System.Net.Security;
using Gateway.Codec.Binary;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;

namespace Gateway.Client;

/// <summary>The settings that all sessions of one application share: identity, limits and times. Times are durations on
/// the monotonic clock.</summary>
public sealed class ClientOptions
{
    public string ApplicationName { get; init; } = "OPC UA Gateway";

    /// <summary>Used where there is no certificate; a certificate's own ApplicationUri wins.</summary>
    public string ApplicationUri { get; init; } = "urn:gateway:client";

    public string ProductUri { get; init; } = "urn:gateway";

    /// <summary>Needed for every policy but None.</summary>
    public ApplicationCertificate? Certificate { get; init; }

    /// <summary>Asked at each new connection, instead of <see cref="Certificate"/>, where a new certificate needs no
    /// restart.</summary>
    public OwnCertificate? LiveCertificate { get; init; }

    /// <summary>Judges the server's certificate. Null: no secured endpoint is used.</summary>
    public ICertificateValidator? CertificateValidator { get; init; }

    /// <summary>Judges the certificate that a server of <c>opc.wss://</c> shows for TLS, instead of the system's check;
    /// null: the system's.</summary>
    public RemoteCertificateValidationCallback? TlsCertificateCheck { get; init; }

    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Called for an internal error that a deadline met and that ended nothing else (R40). Null: no call.
    /// </summary>
    public Action<Exception>? OnFault { get; init; }

    /// <summary>TCP connect, HEL and OPN together.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How long an answer may take; sent to the server as TimeoutHint.</summary>
    public TimeSpan RequestTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Requested; the server revises it.</summary>
    public TimeSpan SessionTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>A session that heard nothing for this long reads ServerStatus.State; no answer ends the connection.
    ///</summary>
    public TimeSpan KeepAliveInterval { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Requested lifetime of a channel's token; renewed at 75 %.</summary>
    public TimeSpan ChannelLifetime { get; init; } = TimeSpan.FromHours(1);

    /// <summary>The largest response accepted: what a server is told, and what the transport enforces.</summary>
    internal int MaxMessageSizeBytes => (TransportContext?.Limits ?? new TransportLimits()).MaxMessageSizeBytes;

    /// <summary>Endpoints that a server may name, and user tokens of all of them. Lists are compared with each other,
    /// so that more would cost their product.</summary>
    public int MaxEndpoints { get; init; } = 256;

    public DecodingLimits DecodingLimits { get; init; } = DecodingLimits.PassThrough;

    /// <summary>Source address of the connections (loadtest spreads over 127.0.0.0/8); null: the system's choice.
    ///</summary>
    public System.Net.IPAddress? LocalAddress { get; init; }

    /// <summary>Limits, counters and lanes of the connections; null: a set of the process. A host that has one passes
    /// it, so that instruments exist once.</summary>
    public TransportContext? TransportContext { get; init; }

    /// <summary>True: awaiting code goes on upon the connection's own thread, which it must not block (loadtest).
    ///</summary>
    public bool InlineContinuations { get; init; }

    internal ApplicationCertificate? CurrentCertificate => LiveCertificate?.Current ?? Certificate;

    internal string EffectiveApplicationUri => CurrentCertificate?.ApplicationUri ?? ApplicationUri;
}
