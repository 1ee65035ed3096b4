using System.Net;

namespace Gateway.Server.Users;

/// <summary>
/// Limits the number of concurrent password checks. The others wait in one queue for each address, and the addresses
/// take turns, so that a flood delays only its own address. Bounded: when it is full, the newest entry of the longest
/// queue gives way to one of a shorter queue. Any thread; its lock is a leaf.
/// </summary>
internal sealed class PasswordTurnstile(int places, int capacity)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<IPAddress, LinkedList<TaskCompletionSource<bool>>> _lines = [];
    private readonly LinkedList<IPAddress> _turns = new();
    private int _inside;
    private int _waiting;

    public int Waiting => Volatile.Read(ref _waiting);

    /// <summary>True: inside, until <see cref="Leave"/>. False: too many wait.</summary>
    public Task<bool> EnterAsync(IPAddress address)
    {
        TaskCompletionSource<bool>? displaced = null;
        var entry = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            if (_inside < places)
            {
                _inside++;
                return Task.FromResult(true);
            }

            if (_waiting >= capacity)
            {
                displaced = DisplaceUnderLock(address);
                if (displaced is null)
                    return Task.FromResult(false);
            }

            if (!_lines.TryGetValue(address, out var line))
            {
                _lines[address] = line = new LinkedList<TaskCompletionSource<bool>>();
                _turns.AddLast(address);
            }

            line.AddLast(entry);
            _waiting++;
        }

        displaced?.SetResult(false);
        return entry.Task;
    }

    public void Leave()
    {
        TaskCompletionSource<bool> next;
        lock (_lock)
        {
            if (_turns.First is not { } turn)
            {
                _inside--;
                return;
            }

            _turns.RemoveFirst();
            var line = _lines[turn.Value];
            next = line.First!.Value;
            line.RemoveFirst();
            _waiting--;
            if (line.Count > 0)
                _turns.AddLast(turn);
            else
                _lines.Remove(turn.Value);
        }

        next.SetResult(true);
    }

    /// <summary>Null: no queue is longer than the new entry's own.</summary>
    private TaskCompletionSource<bool>? DisplaceUnderLock(IPAddress newcomer)
    {
        LinkedList<TaskCompletionSource<bool>>? longest = null;
        foreach (var (_, line) in _lines)
        {
            if (line.Count > (longest?.Count ?? 0))
                longest = line;
        }

        var own = _lines.TryGetValue(newcomer, out var mine) ? mine.Count : 0;
        if (longest is null || longest.Count <= own + 1)
            return null;
        var last = longest.Last!.Value;
        longest.RemoveLast();
        _waiting--;
        return last;
    }
}
