namespace Gateway.Transport.Hosting;

/// <summary>The report of a fault that must not leave a shared thread or a timer, because it would end the process
/// (R40).</summary>
public static class Contained
{
    /// <summary>Never throws: where memory is short the line may be lost.</summary>
    /// <param name="error">Of ours, a failed allocation among them.</param>
    /// <param name="log">Made before: making it now could fail, too. Null: nobody is told.</param>
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
}
