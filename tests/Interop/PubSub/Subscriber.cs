using System.Text.Json;
using System.Threading.Channels;
using Gateway.Testing;

namespace Gateway.Interop.PubSub;

/// <summary>mosquitto_sub: each message with its topic, and whether the broker had kept it. It connects again by
/// itself.</summary>
internal sealed class Subscriber : IAsyncDisposable
{
    private readonly Channel<Message> messages = Channel.CreateUnbounded<Message>();
    private readonly ChildProcess process;

    public Subscriber(int port, string id) => process = new(
        new("mosquitto_sub",
            ["-V", "311", "-h", "127.0.0.1", "-p", $"{port}", "-t", "opcua/#", "-q", "1", "-c", "-i", id, "-k", "5",
                "-F", "%r %t %p"]),
        TakeLine);

    /// <param name="IsRetained">The broker had kept it.</param>
    /// <param name="Topic">Its topic.</param>
    /// <param name="Json">The NetworkMessage.</param>
    public sealed record Message(bool IsRetained, string Topic, JsonElement Json);

    /// <summary>The next message whose topic begins so.</summary>
    public async Task<Message> NextAsync(string topic)
    {
        using CancellationTokenSource patience = new(Patience.Limit);
        try
        {
            while (true)
            {
                Message message = await messages.Reader.ReadAsync(patience.Token);
                if (message.Topic.StartsWith(topic, StringComparison.Ordinal))
                    return message;
            }
        }
        catch (OperationCanceledException)
        {
            throw new TimeoutException($"no message on {topic}");
        }
    }

    public ValueTask DisposeAsync() => process.DisposeAsync();

    private void TakeLine(string line)
    {
        string[] parts = line.Split(' ', 3);
        // The last line is cut where the subscriber was ended while it wrote.
        if (parts is not ["0" or "1", _, ['{', .., '}']])
            return;
        using JsonDocument json = JsonDocument.Parse(parts[2]);
        messages.Writer.TryWrite(new(parts[0] == "1", parts[1], json.RootElement.Clone()));
    }
}
