using System.Net;
using Gateway.Codec.Types;

namespace Gateway.Server.Audit.Trail;

/// <summary>One line of the audit trail. Its parts are references to what is there anyway; empty ones are left out.
/// </summary>
/// <param name="Kind">The event.</param>
/// <param name="Status">The result that the peer gets.</param>
public readonly record struct AuditRecord(AuditEvent Kind, StatusCode Status)
{
    public string? User { get; init; }

    /// <summary>The protocol; null: UA-TCP.</summary>
    public string? Door { get; init; }

    /// <summary>Of the peer; <see cref="Address"/> where there is no connection.</summary>
    public EndPoint? Remote { get; init; }

    public string? Address { get; init; }

    /// <summary>0: none.</summary>
    public uint ChannelId { get; init; }

    public string? Policy { get; init; }

    /// <summary>Of the peer's certificate.</summary>
    public string? Thumbprint { get; init; }

    public NodeId SessionId { get; init; }

    /// <summary>As the client named it.</summary>
    public string? SessionName { get; init; }

    /// <summary>The client's own name for the request.</summary>
    public string? EntryId { get; init; }

    /// <summary>Our own text, escaped.</summary>
    public string? Detail { get; init; }

    /// <summary>Not 0: the line stands for so many that were counted and not listed.</summary>
    public long Dropped { get; init; }
}
