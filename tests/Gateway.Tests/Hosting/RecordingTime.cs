using System.Collections.Concurrent;
using System.Reflection;

namespace Gateway.Tests.Hosting;

/// <summary>The system's time that writes down which type starts a timer (<c>+Type</c>) and which ends it
/// (<c>-Type</c>), in order: almost every part of the gateway has one.</summary>
internal sealed class RecordingTime : TimeProvider
{
    private readonly ConcurrentQueue<string> _lines = new();

    public string[] Lines => [.. _lines];

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var inner = base.CreateTimer(callback, state, dueTime, period);
        // A contained timer has the method that it runs as its state.
        if (OwnerOf((state as Action)?.Method ?? callback.Method) is not { } owner)
            return inner;
        _lines.Enqueue("+" + owner);
        return new Recorded(inner, () => _lines.Enqueue("-" + owner));
    }

    /// <summary>The type that a lambda stands in. Null: none of the gateway's.</summary>
    private static string? OwnerOf(MethodInfo method)
    {
        var type = method.DeclaringType!;
        while (type.Name.StartsWith('<'))
            type = type.DeclaringType!;
        return type.Namespace?.StartsWith("Gateway.", StringComparison.Ordinal) == true ? type.Name : null;
    }

    private sealed class Recorded(ITimer inner, Action onEnd) : ITimer
    {
        private int _hasEnded;

        public bool Change(TimeSpan dueTime, TimeSpan period) => inner.Change(dueTime, period);

        public void Dispose()
        {
            Note();
            inner.Dispose();
        }

        public ValueTask DisposeAsync()
        {
            Note();
            return inner.DisposeAsync();
        }

        private void Note()
        {
            if (Interlocked.Exchange(ref _hasEnded, 1) == 0)
                onEnd();
        }
    }
}
