using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Host.Configuration;
using Gateway.Publish;
using Gateway.Rest.Overview;
using Gateway.Sources.Upstreams;
using Gateway.Transport.Certificates;

namespace Gateway.Host.Overview;

/// <summary>Makes an alarm of each notice, so that control rooms see them, acknowledge them, and find them again after
/// a reconnect (docs/events.md).</summary>
internal sealed class NoticeAlarms(
    PublishEngine publishing, NodeTable nodes, OwnCertificate own, AlarmOptions options) : INoticeListener
{
    private const ushort FaultSeverity = 700;
    private const ushort WarningSeverity = 400;

    /// <summary>The namespace of the gateway itself.</summary>
    private const ushort OwnNamespace = 1;

    /// <summary>CertificateType of an own certificate: RsaSha256ApplicationCertificateType.</summary>
    private const uint RsaSha256 = 12560;

    private readonly ConditionTable _conditions = publishing.Conditions;

    public void OnChange(NoticeChange change)
    {
        var notice = change.Notice;
        var isEnded = change.Change == "ended";
        _conditions.Report(
            DefinitionOf(notice), !isEnded, notice.IsFault ? FaultSeverity : WarningSeverity,
            isEnded ? $"Over: {notice.PublicWords}" : notice.PublicWords);
    }

    private ConditionDefinition DefinitionOf(Notice notice)
    {
        var isCertificate = notice.Kind is "certificate" or TrustNotices.Kind;
        var source = SourceOf(notice);
        return new ConditionDefinition
        {
            ConditionId = new NodeId($"Alarms/{notice.Kind}/{notice.Subject}", OwnNamespace),
            Layout = isCertificate ? ConditionLayouts.CertificateExpiration : ConditionLayouts.SystemOffNormal,
            ConditionName = $"{notice.Kind} {notice.Subject}",
            Source = source,
            SourceName = source.IsNull ? "Server" : notice.Subject,
            OwnValues = isCertificate ? CertificateValues(notice) : [],
            WantsConfirmation = options.Confirm,
        };
    }

    /// <summary>The object of an upstream, also where it is gone or not there yet: while it is not there, the rules of
    /// its namespace decide (R36). Null: the Server's.</summary>
    private NodeId SourceOf(Notice notice) => notice.Kind is "source" or DriftNotices.Kind or OverloadNotices.Kind
        ? new NodeId(notice.Subject, nodes.Namespaces.GetOrAdd(UpstreamRoots.NamespaceUri))
        : NodeId.Null;

    /// <summary>Of a trusted one only the end: its name and its bytes are for those who may read the trust lists.
    /// </summary>
    private Variant[] CertificateValues(Notice notice)
    {
        var limit = new Variant(ApplicationCertificateStore.WarningTime.TotalMilliseconds);
        if (notice.CertificateEnd is { } end)
            return [new Variant(end), limit, new Variant(NodeId.Null), default];
        var certificate = own.Current.Certificate;
        return
        [
            new Variant(certificate.NotAfter.ToUniversalTime()), limit, new Variant(new NodeId(RsaSha256)),
            Variant.FromByteString(certificate.RawData),
        ];
    }
}
