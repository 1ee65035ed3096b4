using System.Globalization;
using System.Net;
using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Audit.Trail;

/// <summary>
/// Makes the AuditEvents of entries and raises them: they go to the Server object alone, to users with the right to see
/// them, over encrypted channels (<see cref="EventHub"/>). Ask <see cref="EventHub.HasAuditListeners"/> before: this
/// allocates. No field holds a password, a token or a key. Thread-safe. Source: Part 4 §6.5, Part 5 §6.4.3.
/// </summary>
internal sealed class AuditEventMaker(EventHub events, string serverUri, TimeProvider clock)
{
    private const ushort AcceptedSeverity = 100;
    private const ushort RefusedSeverity = 500;
    private const ushort CertificateSeverity = 600;
    private const int MaxNameLength = 256;

    /// <summary>More than any of the standard's events has behind those of BaseEventType.</summary>
    private const int MaxOwnFields = 16;

    public void Raise(in AuditEntry entry)
    {
        var layout = AuditKinds.LayoutOf(entry.Kind);
        if (layout is null)
            return;
        var sourceName = AuditKinds.SourceNameOf(entry.Kind, entry.Status);
        if (entry is { Dropped: 0, Facts.Request: CallMethodRequest call })
        {
            layout = ConditionAudit.LayoutOf(call.MethodId) ?? layout;
            sourceName = ConditionAudit.SourceNameOf(call.MethodId) ?? sourceName;
        }

        var errorId = entry is { Facts.Certificate: { IsAccepted: false } verdict, Dropped: 0 }
            ? RaiseCertificate(entry, verdict)
            : null;
        var own = new Variant[MaxOwnFields];
        var count = FillAudit(own, entry);
        if (entry.Dropped == 0)
            FillOwn(layout, own, count, entry, errorId);
        events.Raise(events.Maker.MakeForServer(
            layout, entry.Dropped == 0 ? NodeOf(entry) : default, sourceName, MessageOf(entry),
            entry.Status.IsBad || entry.Dropped > 0 ? RefusedSeverity : AcceptedSeverity,
            own.AsSpan(0, layout.Fields.Count - StandardEvents.BaseFieldCount)));
    }

    /// <summary>Returns its EventId.</summary>
    private byte[]? RaiseCertificate(in AuditEntry entry, CertificateVerdict verdict)
    {
        var layout = AuditKinds.LayoutOf(verdict.Fault);
        var own = new Variant[MaxOwnFields];
        var next = FillAudit(own, entry);
        own[next++] = new Variant(verdict.Status);
        own[next++] = Variant.FromByteString(verdict.Leaf);
        if (layout == AuditLayouts.CertificateDataMismatch)
            own[next + 1] = new Variant(Bounded((entry.Facts.Request as CreateSessionRequest)?
                .ClientDescription.ApplicationUri));
        var record = events.Maker.MakeForServer(
            layout, default, "Security/Certificate", PeerText.EscapeLine(verdict.Detail), CertificateSeverity,
            own.AsSpan(0, layout.Fields.Count - StandardEvents.BaseFieldCount));
        events.Raise(record);
        return record.Values[0].AsByteString();
    }

    /// <summary>ActionTimeStamp to ClientApplicationUri. Returns the place of the next field.</summary>
    private int FillAudit(Variant[] own, in AuditEntry entry)
    {
        own[0] = new Variant(clock.GetUtcNow().UtcDateTime);
        own[1] = new Variant(!entry.Status.IsBad && entry.Dropped == 0);
        own[2] = new Variant(serverUri);
        own[3] = new Variant(Bounded(entry.Facts.EntryId) ?? PeerOf(entry));
        own[4] = new Variant(UserOf(entry));
        own[5] = new Variant(Bounded(
            entry.Session?.ClientApplicationUri ??
            (entry.Facts.Request as CreateSessionRequest)?.ClientDescription.ApplicationUri));
        return 6;
    }

    private static void FillOwn(EventLayout layout, Variant[] own, int next, in AuditEntry entry, byte[]? errorId)
    {
        if (layout == AuditLayouts.UpdateMethod || layout == AuditLayouts.TrustListUpdated ||
            entry.Facts.Request is CallMethodRequest)
        {
            FillMethod(layout, own, next, entry);
            return;
        }

        if (layout == AuditLayouts.WriteUpdate)
        {
            FillWrite(own, next, entry);
            return;
        }

        if (layout == AuditLayouts.ConfigurationUpdated)
        {
            own[next] = new Variant(entry.Facts.OldVersion);
            own[next + 1] = new Variant(entry.Facts.NewVersion);
            return;
        }

        if (layout == AuditLayouts.Audit || layout == AuditLayouts.Client)
            return;
        own[next++] = new Variant(entry.Status);
        if (layout == AuditLayouts.Channel || layout == AuditLayouts.OpenSecureChannel)
        {
            own[next++] = new Variant(ChannelIdOf(entry));
            if (layout == AuditLayouts.OpenSecureChannel)
                FillOpen(own, next, entry, errorId);
            return;
        }

        if (layout == AuditLayouts.Security)
            return;
        own[next++] = new Variant(entry.Session?.SessionId ?? NodeId.Null);
        FillSession(layout, own, next, entry);
    }

    private static void FillSession(EventLayout layout, Variant[] own, int next, in AuditEntry entry)
    {
        if (layout == AuditLayouts.CreateSession || layout == AuditLayouts.UrlMismatch)
        {
            own[next++] = new Variant(ChannelIdOf(entry));
            own[next++] = Variant.FromByteString(entry.Channel?.PeerCertificate);
            own[next++] = new Variant(entry.Channel?.PeerThumbprint);
            own[next++] = new Variant(entry.Session?.Timeout.TotalMilliseconds ?? 0);
            if (layout == AuditLayouts.UrlMismatch)
                own[next] = new Variant(Bounded((entry.Facts.Request as CreateSessionRequest)?.EndpointUrl));
        }
        else if (layout == AuditLayouts.ActivateSession)
        {
            own[next++] = Variant.FromArray(BuiltInType.ExtensionObject, Array.Empty<ExtensionObject>());
            own[next++] = new Variant(new ExtensionObject(TokenOf(entry)));
            own[next] = new Variant(ChannelIdOf(entry));
        }
        else if (layout == AuditLayouts.Cancel)
        {
            own[next] = new Variant(entry.Facts.RequestHandle);
        }
    }

    private static void FillOpen(Variant[] own, int next, in AuditEntry entry, byte[]? errorId)
    {
        var (channel, refusal) = (entry.Channel, entry.Refusal);
        own[next++] = Variant.FromByteString(channel?.PeerCertificate ?? refusal?.Certificate);
        own[next++] = new Variant(channel?.PeerThumbprint ?? refusal?.Thumbprint);
        own[next++] = new Variant((int)(refusal is { IsRenewal: true }
            ? SecurityTokenRequestType.Renew
            : SecurityTokenRequestType.Issue));
        own[next++] = new Variant(channel?.Policy.Uri ?? refusal?.PolicyUri);
        own[next++] = new Variant((int)(channel?.SecurityMode ?? MessageSecurityMode.Invalid));
        own[next++] = new Variant(channel?.RequestedLifetime.TotalMilliseconds ?? 0);
        own[next] = Variant.FromByteString(errorId);
    }

    private static void FillWrite(Variant[] own, int next, in AuditEntry entry)
    {
        var attribute = entry.Facts.AttributeId;
        own[next++] = new Variant(attribute == 0 ? (uint)AttributeId.Value : attribute);
        own[next++] = new Variant(Bounded(entry.Facts.IndexRange));
        own[next++] = entry.Facts.OldValue;
        own[next] = entry.Facts.NewValue;
    }

    private static void FillMethod(EventLayout layout, Variant[] own, int next, in AuditEntry entry)
    {
        var call = entry.Facts.Request as CallMethodRequest;
        own[next++] = new Variant(call?.MethodId ?? NodeId.Null);
        own[next++] = new Variant(entry.Status);
        own[next++] = Variant.FromArray(BuiltInType.Variant, call?.InputArguments ?? []);
        own[next++] = Variant.FromArray(BuiltInType.Variant, entry.Facts.Outputs ?? []);
        if (call is not null)
            ConditionAudit.Fill(layout, own, next, call);
    }

    /// <summary>Null: the Server object.</summary>
    private static NodeId NodeOf(in AuditEntry entry) =>
        entry.Facts.Request is CallMethodRequest call ? call.ObjectId : entry.Facts.Node;

    /// <summary>Without its secret. Source: Part 5 §6.4.10.</summary>
    private static UserIdentityToken? TokenOf(in AuditEntry entry)
    {
        if (entry.Facts.Request is not ActivateSessionRequest request)
            return string.IsNullOrEmpty(entry.User) ? null : new UserNameIdentityToken { UserName = entry.User };
        return request.UserIdentityToken.Body switch
        {
            UserNameIdentityToken named => new UserNameIdentityToken
            {
                PolicyId = Bounded(named.PolicyId),
                UserName = Bounded(named.UserName),
                EncryptionAlgorithm = Bounded(named.EncryptionAlgorithm),
            },
            X509IdentityToken certificate => new X509IdentityToken
            {
                PolicyId = Bounded(certificate.PolicyId),
                CertificateData = certificate.CertificateData,
            },
            IssuedIdentityToken issued => new IssuedIdentityToken
            {
                PolicyId = Bounded(issued.PolicyId),
                EncryptionAlgorithm = Bounded(issued.EncryptionAlgorithm),
            },
            AnonymousIdentityToken anonymous => new AnonymousIdentityToken { PolicyId = Bounded(anonymous.PolicyId) },
            _ => null,
        };
    }

    private static string? UserOf(in AuditEntry entry)
    {
        if (!string.IsNullOrEmpty(entry.User))
            return entry.User;
        var body = (entry.Facts.Request as ActivateSessionRequest)?.UserIdentityToken.Body;
        return Bounded((body as UserNameIdentityToken)?.UserName) ?? entry.Session?.Identity?.DisplayName;
    }

    /// <summary>Stands for an AuditEntryId that is not there. Source: Part 5 §6.4.3.</summary>
    private static string? PeerOf(in AuditEntry entry) =>
        ((entry.Channel?.RemoteEndPoint ?? entry.Refusal?.RemoteEndPoint) as IPEndPoint)?.ToString() ?? entry.Address;

    private static string? ChannelIdOf(in AuditEntry entry) =>
        entry.Channel?.ChannelId.ToString(CultureInfo.InvariantCulture);

    private static string MessageOf(in AuditEntry entry)
    {
        if (entry.Dropped > 0)
            return $"{entry.Dropped} more events {entry.Kind} were counted and not listed";
        return string.IsNullOrEmpty(entry.Detail)
            ? $"{entry.Kind}: {entry.Status}"
            : $"{entry.Kind}: {entry.Status}: {entry.Detail}";
    }

    private static string? Bounded(string? text) =>
        string.IsNullOrEmpty(text) ? null : PeerText.EscapeLine(text, MaxNameLength);
}
