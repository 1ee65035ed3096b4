namespace Gateway.Operations.Work;

/// <summary>Places for work that is larger than a turn. Requests wait for one without a thread: users in a circle, and
/// of one user the first comes first, so that a user with a thousand requests holds up nobody else (R46). Only requests
/// under way wait here, so the caps on them bound the queue. Thread-safe; its lock is a leaf.</summary>
/// <param name="places">At one time.</param>
public sealed class FairPlaces(int places)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, Line> _lines = [];
    private readonly LinkedList<Line> _circle = new();
    private int _free = places;

    /// <summary>Completes when there is a place; <see cref="Leave"/> gives it back. Errors: OperationCanceledException.
    /// </summary>
    /// <param name="account">The key of the user.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public ValueTask EnterAsync(string account, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Waiter waiter;
        lock (_lock)
        {
            if (_free > 0)
            {
                _free--;
                return ValueTask.CompletedTask;
            }

            if (!_lines.TryGetValue(account, out var line))
            {
                _lines.Add(account, line = new Line(account));
                _circle.AddLast(line.Place);
            }

            waiter = new Waiter(line);
            line.Waiters.AddLast(waiter.Place);
        }

        return WaitAsync(waiter, cancellationToken);
    }

    public void Leave()
    {
        Waiter waiter;
        lock (_lock)
        {
            if (_circle.First is not { Value: var line })
            {
                _free++;
                return;
            }

            waiter = line.Waiters.First!.Value;
            _circle.Remove(line.Place);
            _circle.AddLast(line.Place);
            RemoveUnderLock(waiter);
        }

        waiter.SetResult();
    }

    private async ValueTask WaitAsync(Waiter waiter, CancellationToken cancellationToken)
    {
        using var registration = cancellationToken.UnsafeRegister(_ => GiveUp(waiter), null);
        await waiter.Task.ConfigureAwait(false);
    }

    /// <summary>A waiter that has its place by now keeps it.</summary>
    private void GiveUp(Waiter waiter)
    {
        lock (_lock)
        {
            if (waiter.Place.List is null)
                return;
            RemoveUnderLock(waiter);
        }

        waiter.SetCanceled();
    }

    private void RemoveUnderLock(Waiter waiter)
    {
        var line = waiter.Line;
        line.Waiters.Remove(waiter.Place);
        if (line.Waiters.Count > 0)
            return;
        _circle.Remove(line.Place);
        _lines.Remove(line.Account);
    }

    /// <summary>The waiting requests of one user.</summary>
    private sealed class Line
    {
        public Line(string account) => (Account, Place) = (account, new LinkedListNode<Line>(this));

        public string Account { get; }

        public LinkedListNode<Line> Place { get; }

        public LinkedList<Waiter> Waiters { get; } = new();
    }

    private sealed class Waiter : TaskCompletionSource
    {
        public Waiter(Line line)
            : base(TaskCreationOptions.RunContinuationsAsynchronously) =>
            (Line, Place) = (line, new LinkedListNode<Waiter>(this));

        public Line Line { get; }

        public LinkedListNode<Waiter> Place { get; }
    }
}
