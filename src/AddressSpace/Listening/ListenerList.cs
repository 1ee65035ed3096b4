using System.Runtime.ExceptionServices;

namespace Gateway.AddressSpace.Listening;

/// <summary>The listeners of one event. Shape: an array that is replaced whole, so that telling takes no lock. Threads:
/// any; a listener that has just been removed may still get a call.</summary>
public sealed class ListenerList<T>
    where T : class
{
    private readonly Lock _lock = new();
    private volatile T[] _listeners = [];

    /// <summary>The listener is called from now on, until the result is disposed. One that is added twice hears
    /// twice.</summary>
    public IDisposable Add(T listener)
    {
        lock (_lock)
            _listeners = [.. _listeners, listener];
        return new Registration(this, listener);
    }

    /// <summary>Every listener is called, in the order in which they came, also where one before it failed; then the
    /// first failure is thrown.</summary>
    /// <param name="what">Given to each.</param>
    /// <param name="call">Static, so that it allocates nothing.</param>
    public void Tell<TWhat>(TWhat what, Action<T, TWhat> call)
        where TWhat : allows ref struct
    {
        ExceptionDispatchInfo? failure = null;
        foreach (var listener in _listeners)
        {
#pragma warning disable CA1031 // The other listeners must be called after one of them throws.
            try
            {
                call(listener, what);
            }
            catch (Exception error)
#pragma warning restore CA1031
            {
                failure ??= ExceptionDispatchInfo.Capture(error);
            }
        }

        failure?.Throw();
    }

    private void Remove(T listener)
    {
        lock (_lock)
        {
            var left = new List<T>(_listeners);
            left.Remove(listener);
            _listeners = [.. left];
        }
    }

    private sealed class Registration(ListenerList<T> list, T listener) : IDisposable
    {
        private ListenerList<T>? _list = list;

        public void Dispose() => Interlocked.Exchange(ref _list, null)?.Remove(listener);
    }
}
