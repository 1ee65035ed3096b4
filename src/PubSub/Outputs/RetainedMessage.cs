using System.Text;

namespace Gateway.PubSub.Outputs;

/// <summary>A message beside the data. Immutable.</summary>
/// <param name="Type">The message type of its topic: <c>status</c>, <c>metadata</c> …</param>
/// <param name="Topic">Its topic.</param>
/// <param name="Payload">Its bytes.</param>
/// <param name="IsRetained">The broker keeps it for subscribers that come later.</param>
public sealed record RetainedMessage(string Type, string Topic, ReadOnlyMemory<byte> Payload, bool IsRetained = true)
{
    public ReadOnlyMemory<byte> TopicBytes { get; } = Encoding.UTF8.GetBytes(Topic);
}
