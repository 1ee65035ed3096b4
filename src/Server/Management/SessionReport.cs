using System.Net;
using Gateway.Codec.Structures;
using Gateway.Publish;

namespace Gateway.Server.Management;

/// <summary>One session as an operator sees it. Names and URIs are the client's own words: not for a page as they are.
/// </summary>
public sealed record SessionReport
{
    /// <summary>The Guid of its SessionId, in namespace 1.</summary>
    public required Guid Id { get; init; }

    public required string Name { get; init; }

    public required string? ApplicationName { get; init; }

    public required string ApplicationUri { get; init; }

    public required SessionPhase State { get; init; }

    /// <summary>The scheme of its transport: opc.tcp, http, https.</summary>
    public required string Door { get; init; }

    public required EndPoint? RemoteEndPoint { get; init; }

    /// <summary>Of its SecureChannel; 0 without one.</summary>
    public required uint ChannelId { get; init; }

    public required string SecurityPolicy { get; init; }

    public required MessageSecurityMode SecurityMode { get; init; }

    /// <summary>Thumbprint; empty without one.</summary>
    public required string Certificate { get; init; }

    /// <summary>Its subject, the client's own words; null without one that was verified.</summary>
    public string? CertificateSubject { get; init; }

    /// <summary>Null before the first activation; <c>anonymous</c> for the anonymous user.</summary>
    public required string? User { get; init; }

    public required DateTime Since { get; init; }

    public required DateTime LastActivity { get; init; }

    public required TimeSpan Timeout { get; init; }

    public int Subscriptions { get; init; }

    public int MonitoredItems { get; init; }

    /// <summary>Publish requests that wait for something to send.</summary>
    public int PublishRequests { get; init; }

    /// <summary>Publish requests that were held and then answered with a ServiceFault.</summary>
    public uint RefusedPublishRequests { get; init; }

    /// <summary>Requests that wait for a source.</summary>
    public int PendingRequests { get; init; }

    public uint Requests { get; init; }

    public uint FailedRequests { get; init; }

    /// <summary>Refused because the user may not, or because they came by a foreign channel.</summary>
    public uint UnauthorizedRequests { get; init; }

    public SessionTotals Totals { get; init; }

    /// <summary>Of its certificate, or of its address where it has none: refusals by admission while it is known.
    /// </summary>
    public long Refusals { get; init; }
}
