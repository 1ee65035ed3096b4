using System.Globalization;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Server.Tests.Support;
using Gateway.Testing;

namespace Gateway.Server.Tests.Streams;

/// <summary>What "Add a sink" in docs/extending.md shows: change this with it.</summary>
public sealed class AddASinkTests : IDisposable
{
    private readonly ServerFixture _fixture = new();
    private readonly TextSink _sink = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Sink_OfTheExample_WritesChangesAndEndsWithItsServer()
    {
        _fixture.Publishing.Start();
        var user = new UserIdentity("observer", "observer", Roles.Observer, UserKind.UserName);
        var caller = new Caller(
            user, CallerDoor.Inside, MessageSecurityMode.None, isTrustedApplication: false, hasSession: false);
        var run = _sink.RunAsync(_fixture.Server, caller, [TestPlant.Int32, new NodeId("Nowhere", 1)]);
        await AdvanceUntilAsync("1 = 7");

        _fixture.Values.Set(_fixture.Find(TestPlant.Int32), new DataValue(new Variant(8)));
        _fixture.Values.Set(_fixture.Find(TestPlant.Int32), new DataValue(new Variant(12)));
        await AdvanceUntilAsync("1 = 12");

        _fixture.Server.CloseSessions();
        Assert.Equal(StatusCodes.BadShutdown, (await run).Code);
        Assert.Equal(["1: Good", "2: BadNodeIdUnknown", "1 = 7", "1 = 12"], _sink.Lines);
        Assert.Equal(1, _sink.Skipped);
    }

    private Task AdvanceUntilAsync(string line)
    {
        _fixture.Time.Advance(500);
        return _sink.WaitForAsync(line).WaitAsync(Patience.Limit);
    }

    /// <summary>A line for each change.</summary>
    private sealed class TextSink
    {
        private readonly Lock _lock = new();
        private readonly List<string> _lines = [];
        private (string Line, TaskCompletionSource Written)? _awaited;

        public List<string> Lines
        {
            get
            {
                lock (_lock)
                    return [.. _lines];
            }
        }

        public long Skipped { get; private set; }

        public async Task<StatusCode> RunAsync(GatewayServer server, Caller caller, NodeId[] tags)
        {
            using var stream = server.OpenStream(caller, new StreamOptions { IntervalMs = 500 }, out var status);
            if (stream is null)
                return status;
            StreamItem[] items = [.. tags.Select((tag, i) => new StreamItem { Node = tag, Handle = (uint)i + 1 })];
            stream.Add(items, out var results);
            for (var i = 0; i < results.Length; i++)
                Write($"{i + 1}: {results[i].StatusCode}");
            await foreach (var batch in stream.Batches.ReadAllAsync())
            {
                foreach (var change in batch.Changes)
                    Write(string.Create(CultureInfo.InvariantCulture, $"{change.Handle} = {change.Value.Numeric}"));
                Skipped += batch.Skipped;
                batch.Dispose();
            }

            return stream.Status;
        }

        public Task WaitForAsync(string line)
        {
            lock (_lock)
            {
                if (_lines.Contains(line))
                    return Task.CompletedTask;
                _awaited = (line, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
                return _awaited.Value.Written.Task;
            }
        }

        private void Write(string line)
        {
            lock (_lock)
            {
                _lines.Add(line);
                if (_awaited is var (awaited, written) && awaited == line)
                    written.SetResult();
            }
        }
    }
}
