using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Host.Simulation;
using Gateway.Publish;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Simulation;

/// <summary>The events of the simulated plant as clients see them.</summary>
public sealed class PlantEventsTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly NodeTable _nodes = new();
    private readonly PublishEngine _publishing;
    private readonly PlantEvents _events;
    private readonly EventInbox _inbox;

    public PlantEventsTests()
    {
        var values = new ValueStore(_time);
        StandardNodes.Load(_nodes, values);
        _nodes.Namespaces.GetOrAdd("urn:own");
        _publishing = new PublishEngine(
            _nodes, values, PublishLimits.Default, new PlantLateness(), _time, NullLogger<PublishEngine>.Instance);
        _events = new PlantEvents(_publishing, _nodes, _time);
        _inbox = _publishing.Events.OpenInbox(10_000, static () => { });
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _publishing.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Raise_NobodyWatches_MakesNothing()
    {
        _events.Raise(0);
        Assert.Equal(0, _publishing.Events.Raised);
    }

    [Fact]
    public void Raise_EachEvent_HasItsOwnIdLineAndNumber()
    {
        Watch();
        for (var number = 0; number < 250; number++)
            _events.Raise(number);
        var told = Take();
        Assert.Equal(250, told.Count);
        Assert.Equal(250, told.Select(static one => Convert.ToHexString(one[0].AsByteString()!)).Distinct().Count());
        Assert.Equal("Line 49", told[249][1].AsString());
        Assert.Equal(
            Enumerable.Range(0, 250).Select(static one => (long)one), told.Select(static one => one[2].AsInt64()));
    }

    [Fact]
    public void Raise_InSteadyState_AllocatesNothing()
    {
        Watch();
        var number = 0;
        for (; number < 5_000; number++)
            RaiseAndForget(number);
        Assert.Equal(0, Allocations.OfThousand(() => RaiseAndForget(number++)));
    }

    [Fact]
    public void SetAlarm_ActiveAndOver_IsAConditionOfTheGateway()
    {
        _events.SetAlarm(7, isActive: true);
        var alarm = Assert.Single(_publishing.Conditions.Read(retainedOnly: true));
        Assert.Equal(("simulator 7", "Line 7", true), (alarm.ConditionName, alarm.SourceName, alarm.Active.Id));
        _events.SetAlarm(7, isActive: false);
        Assert.False(Assert.Single(_publishing.Conditions.Read(retainedOnly: true)).Active.Id);
    }

    private void RaiseAndForget(long number)
    {
        _events.Raise(number);
        while (_inbox.TryTake(out var next))
            next.Fields.Release();
    }

    private void Watch()
    {
        var verdict = _publishing.Events.Take(
            new EventFilter
            {
                SelectClauses = Array.ConvertAll(
                    new[] { "EventId", "SourceName", "Context", "Time", "Severity" },
                    static name => new SimpleAttributeOperand
                    {
                        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
                        BrowsePath = [new QualifiedName(name)],
                        AttributeId = (uint)AttributeId.Value,
                    }),
            },
            "test");
        _publishing.Events.Join(
            verdict.Filter!, _nodes.Find(new NodeId(StandardIds.Objects.Server)), _inbox, seesAudit: false);
    }

    private List<Variant[]> Take()
    {
        var told = new List<Variant[]>();
        while (_inbox.TryTake(out var next))
        {
            var reader = new UaBinaryReader(next.Fields.EncodedVariant);
            told.Add(reader.ReadVariant().AsArray<Variant>()!);
            next.Fields.Release();
        }

        return told;
    }
}
