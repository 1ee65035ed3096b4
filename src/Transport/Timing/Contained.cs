using Gateway.Codec.Types;

namespace Gateway.Transport.Timing;

/// <summary>Faults that must not leave a shared thread or a timer, because they would end the process (R40).</summary>
public static class Contained
{
    /// <summary>A timer whose faults are reported. The next turn comes after one as after any other.</summary>
    /// <param name="time">The clock of the timer.</param>
    /// <param name="interval">To the first turn, and between two.</param>
    /// <param name="turn">Two may run at once where one takes longer than the interval.</param>
    /// <param name="log">As for <see cref="Report"/>.</param>
    public static ITimer Every(TimeProvider time, TimeSpan interval, Action turn, Action<Exception>? log) =>
        time.CreateTimer(state => Run((Action)state!, log), turn, interval, interval);

    /// <summary>Never throws: where memory is short the line may be lost.</summary>
    /// <param name="error">Of ours, a failed allocation among them.</param>
    /// <param name="log">Made before: making it now could fail, too. Null: no log.</param>
    public static void Report(Exception error, Action<Exception>? log)
    {
        try
        {
            log?.Invoke(error);
        }
#pragma warning disable CA1031 // Nothing is left that could be done about it.
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }

    /// <summary>Of an error of ours a client hears nothing but that there was one (R17); or that a large array found
    /// no room, which is no fault: the same request may pass later (R40).</summary>
    public static StatusCode StatusOf(Exception error) =>
        error is InsufficientMemoryException ? StatusCodes.BadOutOfMemory : StatusCodes.BadInternalError;

    /// <summary>The same, and a fault is reported.</summary>
    /// <param name="error">Of work for a caller.</param>
    /// <param name="log">As for <see cref="Report"/>.</param>
    public static StatusCode Answer(Exception error, Action<Exception>? log)
    {
        if (error is not InsufficientMemoryException)
            Report(error, log);
        return StatusOf(error);
    }

    private static void Run(Action turn, Action<Exception>? log)
    {
#pragma warning disable CA1031 // It would end the process.
        try
        {
            turn();
        }
        catch (Exception error)
#pragma warning restore CA1031
        {
            Report(error, log);
        }
    }
}
