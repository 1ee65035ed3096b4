using System.Net.Sockets;
using Gateway.Interop.Gateways;
using Gateway.Interop.PubSub;
using Gateway.Interop.Scripts;
using Gateway.Loadtest.Machine;
using Gateway.Testing;

namespace Gateway.Interop.FirstHour;

/// <summary>The three commands at the top of docs/pubsub.md, typed as they stand there; only ports are the test's.
/// </summary>
public sealed class PubSubPageTests : IDisposable
{
    private const string Port = "1883";

    private static readonly string[] Commands = ThreeCommands();

    private readonly CleanHome home = new();
    private readonly int port = FreePort.Next();

    public void Dispose() => home.Dispose();

    [PeerFact(PeerProgram.Mosquitto)]
    public async Task ThreeCommands_Pasted_TheSubscriberPrintsThePlant()
    {
        PeerRequirement.Demand(PeerProgram.Mosquitto);
        string broker = Commands[0].Replace("mosquitto ", $"{MosquittoProgram.Broker} ", StringComparison.Ordinal);
        await using ChildProcess mosquitto = new(home.Shell("exec " + AtOurPort(broker)), static _ => { });
        await ListensAsync(mosquitto);
        await using GatewayProcess gateway = await home.StartAsync(AtOurPort(Commands[1]));

        TaskCompletionSource data = new(), metadata = new();
        await using ChildProcess subscriber = new(home.Shell($"exec {Commands[2]} -p {port}"), line =>
        {
            if (line.StartsWith("opcua/json/data/plant1/", StringComparison.Ordinal) && line.Contains("\"Payload\""))
                data.TrySetResult();
            if (line.StartsWith("opcua/json/metadata/plant1/", StringComparison.Ordinal))
                metadata.TrySetResult();
        });

        await Task.WhenAll(data.Task, metadata.Task).WaitAsync(Patience.Limit);
    }

    private static string[] ThreeCommands()
    {
        string page = File.ReadAllText(Path.Combine(Readme.Root(), "docs", "pubsub.md"));
        string section = page.Split("\n## ")
            .Single(part => part.StartsWith("In three commands", StringComparison.Ordinal));
        string[] blocks = section.Split("```");
        Assert.Equal(7, blocks.Length);
        return [.. new[] { 1, 3, 5 }.Select(i => blocks[i].Replace("\\\n", " ", StringComparison.Ordinal).Trim())];
    }

    private string AtOurPort(string command)
    {
        Assert.Contains(Port, command, StringComparison.Ordinal);
        return command.Replace(Port, $"{port}", StringComparison.Ordinal);
    }

    private async Task ListensAsync(ChildProcess broker)
    {
        using PeriodicTimer look = new(TimeSpan.FromMilliseconds(20));
        using CancellationTokenSource patience = new(Patience.Limit);
        while (true)
        {
            Assert.False(broker.Exit.IsCompleted, broker.Output);
            using TcpClient client = new();
            try
            {
                await client.ConnectAsync("127.0.0.1", port, patience.Token);
                return;
            }
            catch (SocketException)
            {
                await look.WaitForNextTickAsync(patience.Token);
            }
        }
    }
}
