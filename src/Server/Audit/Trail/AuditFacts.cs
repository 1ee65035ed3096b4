using Gateway.Codec.Types;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Audit.Trail;

/// <summary>The subject of an audit event: references to what the caller has anyway, so that nothing is made where
/// nobody listens. A secret among them is left out by those who read it.</summary>
internal readonly record struct AuditFacts
{
    /// <summary>AuditEntryId of the request; null where it has none.</summary>
    public string? EntryId { get; init; }

    /// <summary>CreateSessionRequest, ActivateSessionRequest, CallMethodRequest.</summary>
    public object? Request { get; init; }

    /// <summary>The handle that a Cancel names.</summary>
    public uint RequestHandle { get; init; }

    /// <summary>The node that is written or read.</summary>
    public NodeId Node { get; init; }

    /// <summary>0: the Value.</summary>
    public uint AttributeId { get; init; }

    public string? IndexRange { get; init; }

    /// <summary>The value before a Write; null where it is not known.</summary>
    public Variant OldValue { get; init; }

    public Variant NewValue { get; init; }

    /// <summary>The outputs of a method.</summary>
    public Variant[]? Outputs { get; init; }

    /// <summary>VersionTimes of the configuration before and after.</summary>
    public uint OldVersion { get; init; }

    public uint NewVersion { get; init; }

    /// <summary>Of a certificate that was refused.</summary>
    public CertificateVerdict? Certificate { get; init; }
}
