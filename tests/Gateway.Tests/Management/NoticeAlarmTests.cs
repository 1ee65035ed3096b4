using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Host.Configuration;
using Gateway.Host.Overview;
using Gateway.Publish;
using Gateway.Rest.Overview;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Management;

/// <summary>The alarm of each notice.</summary>
public sealed class NoticeAlarmTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly NodeTable _nodes = new();
    private readonly PublishEngine _publishing;
    private readonly ApplicationCertificate _certificate;
    private readonly NoticeAlarms _alarms;

    public NoticeAlarmTests()
    {
        _publishing = new PublishEngine(
            _nodes, new ValueStore(_time), PublishLimits.Default, new PlantLateness(), _time,
            NullLogger<PublishEngine>.Instance);
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=own", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri("urn:own"));
        request.CertificateExtensions.Add(names.Build());
        _certificate = new ApplicationCertificate(
            request.CreateSelfSigned(_time.GetUtcNow().AddDays(-100), _time.GetUtcNow().AddDays(20)));
        _nodes.Namespaces.GetOrAdd("urn:own");
        _alarms = new NoticeAlarms(
            _publishing, _nodes, new OwnCertificate(_certificate), new AlarmOptions { Confirm = true });
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public async ValueTask DisposeAsync()
    {
        await _publishing.DisposeAsync();
        _certificate.Dispose();
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData("storm", "admission")]
    [InlineData("late", "sweep")]
    [InlineData("limit", "MaxSessions")]
    [InlineData("pubsub", "broker")]
    [InlineData("store", "broker")]
    [InlineData("disk", "durable")]
    [InlineData("source", "Press")]
    [InlineData("drift", "Press")]
    [InlineData("overload", "Press")]
    [InlineData("memory", "process")]
    public void OnChange_EachKind_IsAnOffNormalAlarmFromBeginToEnd(string kind, string subject)
    {
        Change("began", kind, subject, isFault: false);
        var alarm = One();
        Assert.Equal(new NodeId($"Alarms/{kind}/{subject}", 1), alarm.ConditionId);
        Assert.Equal(new NodeId(11753), alarm.EventType);
        Assert.Equal((400, "words", true, false), (alarm.Severity, alarm.Message, alarm.Active.Id, alarm.IsAcked));

        Change("changed", kind, subject, isFault: true);
        Assert.Equal((700, 400), (One().Severity, One().LastSeverity));

        Change("ended", kind, subject, isFault: true);
        alarm = One();
        Assert.Equal(("Over: words", false, true), (alarm.Message, alarm.Active.Id, alarm.Retain));

        Call(ConditionAct.Acknowledge);
        Assert.False(One().IsConfirmed);
        Call(ConditionAct.Confirm);
        Assert.False(One().Retain);
    }

    [Fact]
    public void OnChange_Certificate_HasItsEnd()
    {
        Change("began", "certificate", "own", isFault: false);
        Assert.Equal(new NodeId(13225), One().EventType);
        var next = 0;
        Assert.True(_publishing.Conditions.TryReadRetained(ref next, out var record, out _));
        Variant Field(string name) => record!.Values[record.Layout.SlotOf(FieldPath.Of(name))];
        Assert.Equal(_certificate.Certificate.NotAfter.ToUniversalTime(), Field("ExpirationDate").AsDateTime());
        Assert.Equal(_certificate.Certificate.RawData, Field("Certificate").AsByteString());
        Assert.Equal(TimeSpan.FromDays(60).TotalMilliseconds, Field("ExpirationLimit").AsDouble());
    }

    /// <summary>R36: every client may subscribe to alarms; the trust lists are for few.</summary>
    [Fact]
    public void OnChange_TrustedCertificate_HasItsEndAndNeitherNameNorBytes()
    {
        var ends = new DateTime(2030, 1, 2, 3, 4, 5, DateTimeKind.Utc);
        _alarms.OnChange(new NoticeChange(default, "began", new Notice("trust", "AB12", false, "of CN=filler", "remedy")
        {
            CertificateEnd = ends,
            PublicWords = "one ends",
        }));
        Assert.Equal("one ends", One().Message);
        var next = 0;
        Assert.True(_publishing.Conditions.TryReadRetained(ref next, out var record, out _));
        Variant Field(string name) => record!.Values[record.Layout.SlotOf(FieldPath.Of(name))];
        Assert.Equal(new NodeId(13225), Field("EventType").AsNodeId());
        Assert.Equal(ends, Field("ExpirationDate").AsDateTime());
        Assert.True(Field("Certificate").IsNull);
        Assert.DoesNotContain(
            record!.Values.ToArray(), static one => $"{one}".Contains("filler", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("source")]
    [InlineData("drift")]
    [InlineData("overload")]
    public void OnChange_OfAnUpstream_HasItsObjectAsSourceAlsoWhereThatIsNotThere(string kind)
    {
        Change("began", kind, "Press", isFault: true);
        Assert.Equal((Press, "Press"), (One().Source, One().SourceName));
        Change("ended", kind, "Press", isFault: true);
        Assert.Equal((Press, "Press"), (One().Source, One().SourceName));
    }

    [Fact]
    public void OnChange_OfTheGateway_HasTheServerAsSource()
    {
        Change("began", "storm", "Press", isFault: true);
        Assert.Equal((NodeId.Null, "Server"), (One().Source, One().SourceName));
    }

    /// <summary>R36: a reload may take the object away, and bring it back, between the look and the alarm. Nothing but
    /// the rule of its namespace says then who may know of the upstream.</summary>
    [Fact]
    public void OnChange_ObjectIsNotThereAndItsNamespaceHasRules_IsForNobodyUntilItIs()
    {
        _nodes.SetDefaultRule(Press.NamespaceIndex, new AccessRule([new RolePermissionType()], null));
        var inbox = Watch();
        Change("began", "source", "Press", isFault: true);
        Assert.Null(Retained());
        Change("ended", "source", "Press", isFault: true);
        Change("began", "source", "Press", isFault: true);
        Assert.False(inbox.TryTake(out _));

        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = Press,
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Press"),
        }));
        Assert.Equal(_nodes.Find(Press), Retained()!.Source);
        Change("ended", "source", "Press", isFault: true);
        Assert.True(inbox.TryTake(out var told));
        Assert.Equal(_nodes.Find(Press), told.Source);
        told.Fields.Release();
    }

    private NodeId Press => new("Press", _nodes.Namespaces.GetOrAdd("urn:gateway:upstreams"));

    private EventRecord? Retained()
    {
        var next = 0;
        while (_publishing.Conditions.TryReadRetained(ref next, out var record, out _))
        {
            if (record is not null)
                return record;
        }

        return null;
    }

    /// <summary>As an item on the Server object does.</summary>
    private EventInbox Watch()
    {
        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId(StandardIds.Objects.Server),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Server"),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        }));
        var filter = _publishing.Events.Take(
            new EventFilter
            {
                SelectClauses =
                [
                    new SimpleAttributeOperand
                    {
                        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
                        BrowsePath = [new QualifiedName("Message")],
                        AttributeId = (uint)AttributeId.Value,
                    },
                ],
            },
            "test").Filter!;
        var inbox = _publishing.Events.OpenInbox(100, static () => { });
        _publishing.Events.Join(
            filter, _nodes.Find(new NodeId(StandardIds.Objects.Server)), inbox, seesAudit: false);
        return inbox;
    }

    private ConditionReport One() => Assert.Single(_publishing.Conditions.Read(retainedOnly: false));

    private void Change(string change, string kind, string subject, bool isFault) => _alarms.OnChange(
        new NoticeChange(_time.GetUtcNow().UtcDateTime, change, new Notice(kind, subject, isFault, "words", "")));

    private void Call(ConditionAct act) => Assert.Equal(StatusCode.Good, _publishing.Conditions.Call(
        One().ConditionId, new ConditionCall(act, null) { EventId = One().EventId }));
}
