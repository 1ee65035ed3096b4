using BenchmarkDotNet.Attributes;
using Gateway.Events.Model;
using Gateway.Microbenchmarks.Tables;

namespace Gateway.Microbenchmarks.Publish;

/// <summary>A thousand EventFieldLists in one message, and one event in a thousand messages.</summary>
[MemoryDiagnoser]
[Table(46, "Publish: a thousand events",
    "The reference makes or takes from a pool a thousand EventFieldLists, and encodes them afterwards; here the " +
    "whole way from the events that are raised to the encoded messages is measured: the filter's seven fields, " +
    "queues, Publish requests and acknowledgements. The events themselves are made before, once for everybody.")]
public class EventBenchmarks : IDisposable
{
    private const int Events = 1000;

    private PublishPlant _oneSession = null!;
    private PublishPlant _thousandSessions = null!;
    private EventRecord[] _events = null!;

    [GlobalSetup]
    public void Setup()
    {
        _oneSession = new PublishPlant(1);
        _oneSession.AddEventSession(Events);
        _events = [.. Enumerable.Range(0, Events).Select(_ => _oneSession.MakeEvent())];
        _thousandSessions = new PublishPlant(1);
        for (var session = 0; session < Events; session++)
            _thousandSessions.AddEventSession(1);
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _oneSession.Dispose();
        _thousandSessions.Dispose();
        GC.SuppressFinalize(this);
    }

    [Benchmark]
    [Published("48,408 B new; 408 B pooled")]
    public long Publish1000EventFieldLists() => Cycle(_oneSession, _events);

    [Benchmark]
    public long PublishOneEventTo1000Sessions() => Cycle(_thousandSessions, _events.AsSpan(0, 1));

    private static long Cycle(PublishPlant plant, ReadOnlySpan<EventRecord> events)
    {
        foreach (var one in events)
            plant.Raise(one);
        plant.Publish();
        plant.Sweep();
        return plant.Output.Messages;
    }
}
