using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Publish;

namespace Gateway.Server.Tests.Support;

/// <summary>Gets all audit events of an engine, as an item of a SecurityAdmin on the Server object does.</summary>
internal sealed class AuditListener
{
    private static readonly string[] Fields =
    [
        "EventId", "EventType", "SourceNode", "SourceName", "Message", "Severity", "ActionTimeStamp", "Status",
        "ServerId", "ClientAuditEntryId", "ClientUserId", "ClientApplicationUri", "StatusCodeId", "SecureChannelId",
        "ClientCertificate", "ClientCertificateThumbprint", "RequestType", "SecurityPolicyUri", "SecurityMode",
        "CertificateErrorEventId", "SessionId", "RevisedSessionTimeout", "EndpointUrl", "UserIdentityToken",
        "RequestHandle", "Certificate", "InvalidUri", "AttributeId", "OldValue", "NewValue", "MethodId",
        "InputArguments", "OutputArguments", "ConditionEventId", "SelectedResponse",
        "OldVersion", "NewVersion",
    ];

    private readonly EventInbox _inbox;

    public AuditListener(PublishEngine engine, ServerFixture fixture)
    {
        _inbox = engine.Events.OpenInbox(1_000, static () => { });
        var verdict = engine.Events.Take(new EventFilter
        {
            SelectClauses = [.. Fields.Select(static name => new SimpleAttributeOperand
            {
                TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
                BrowsePath = [new QualifiedName(name)],
                AttributeId = (uint)AttributeId.Value,
            })],
        }, "test");
        engine.Events.Join(
            verdict.Filter!, fixture.Find(new NodeId(StandardIds.Objects.Server)), _inbox, seesAudit: true);
    }

    /// <summary>The fields of each event that has come, and the bytes that a client would get.</summary>
    public List<(Dictionary<string, Variant> Fields, byte[] Bytes)> Take()
    {
        var events = new List<(Dictionary<string, Variant>, byte[])>();
        while (_inbox.TryTake(out var posted))
        {
            Assert.True(posted.IsAudit);
            var bytes = posted.Fields.EncodedVariant.ToArray();
            posted.Fields.Release();
            var reader = new UaBinaryReader(bytes);
            var values = (Variant[])reader.ReadVariant().ToObject()!;
            Assert.False(reader.Failed);
            events.Add((Fields.Zip(values).ToDictionary(static one => one.First, static one => one.Second), bytes));
        }

        return events;
    }
}
