using System.Diagnostics;
using System.Text.Json;
using System.Threading.Channels;
using Gateway.Testing;

namespace Gateway.Interop.Scripts;

/// <summary>One node-opcua script: takes JSON, tells events and a result as '@' lines.</summary>
internal sealed class PeerProcess : IAsyncDisposable
{

    private readonly string script;
    private readonly ChildProcess process;
    private readonly Channel<JsonElement> events = Channel.CreateUnbounded<JsonElement>();
    private readonly Task ending;

    private PeerProcess(string script, object arguments)
    {
        this.script = script;
        string file = Path.Combine(PeerFolder.Path, script);
        ProcessStartInfo start = new("node", [file, JsonSerializer.Serialize(arguments)])
        {
            WorkingDirectory = PeerFolder.Path,
        };
        process = new(start, TakeLine);
        ending = EndEventsAsync();
    }

    public static PeerProcess Start(string script, object arguments, PeerProgram program = PeerProgram.NodeOpcUa)
    {
        PeerRequirement.Demand(program);
        return new(script, arguments);
    }

    /// <summary>Runs a script to its end and returns its result; fails with its output.</summary>
    public static async Task<JsonElement> RunAsync(
        string script, object arguments, PeerProgram program = PeerProgram.NodeOpcUa)
    {
        await using PeerProcess peer = Start(script, arguments, program);
        return await peer.ResultAsync();
    }

    /// <summary>Reads on to the next event of that name; fails when the script fails, ends or is silent.</summary>
    public async Task<JsonElement> WaitForAsync(string name)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        try
        {
            while (await events.Reader.WaitToReadAsync(patience.Token))
            {
                while (events.Reader.TryRead(out JsonElement said))
                {
                    string? heard = said.GetProperty("event").GetString();
                    if (heard == name)
                        return said;
                    Assert.True(heard != "failed", $"{script} failed while '{name}' was awaited\n{process.Output}");
                }
            }
        }
        catch (OperationCanceledException)
        {
            Assert.Fail($"{script} did not say '{name}' in {Patience.Limit}\n{process.Output}");
        }

        Assert.Fail($"{script} ended before it said '{name}'\n{process.Output}");
        throw new UnreachableException();
    }

    /// <summary>SIGSTOP.</summary>
    public void Freeze() => process.Freeze();

    public void Thaw() => process.Thaw();

    public async Task<JsonElement> ResultAsync() => (await WaitForAsync("result")).GetProperty("result");

    public Task SendLineAsync(string line) => process.SendLineAsync(line);

    public Task KillAsync() => process.KillAsync();

    public Task<int> StopAsync() => process.StopAsync();

    public async ValueTask DisposeAsync()
    {
        await process.DisposeAsync();
        await ending;
    }

    private void TakeLine(string line)
    {
        if (line.StartsWith('@'))
            events.Writer.TryWrite(JsonDocument.Parse(line.AsMemory(1)).RootElement);
    }

    private async Task EndEventsAsync()
    {
        await process.Exit;
        events.Writer.TryComplete();
    }
}
