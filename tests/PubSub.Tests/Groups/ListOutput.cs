using System.Text;
using System.Threading.Channels;
using Gateway.PubSub.Outputs;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.Groups;

/// <summary>What a group sends and announces, in order.</summary>
internal sealed class ListOutput : IMessageOutput
{
    private readonly Channel<string> _messages = Channel.CreateUnbounded<string>();
    private readonly Channel<Announcement> _announcements = Channel.CreateUnbounded<Announcement>();

    private readonly TaskCompletionSource _refused = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Nothing is taken.</summary>
    public bool IsFull { get; set; }

    /// <summary>Ends with the first message that was not taken.</summary>
    public Task Refused => _refused.Task;

    public bool TrySend(ushort writer, ReadOnlySpan<byte> topic, ReadOnlySpan<byte> message)
    {
        if (!IsFull)
            return _messages.Writer.TryWrite(Encoding.UTF8.GetString(message));
        _refused.TrySetResult();
        return false;
    }

    public void Announce(Announcement announcement) => _announcements.Writer.TryWrite(announcement);

    public async Task<string> MessageAsync() =>
        await _messages.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);

    public string[] Messages() => ReadAll(_messages);

    public Announcement[] Announcements() => ReadAll(_announcements);

    private static T[] ReadAll<T>(Channel<T> channel)
    {
        var all = new List<T>();
        while (channel.Reader.TryRead(out var one))
            all.Add(one);
        return [.. all];
    }
}
