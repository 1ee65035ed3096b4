namespace Gateway.Server.Work;

/// <summary>The report of a fault that must not leave a shared thread or a timer, because it would end the process
/// (R40).</summary>
internal static class Contained
{
    /// <summary>Never throws: where memory is short the line may be lost.</summary>
    public static void Report(Exception error, Action<Exception> log)
    {
        try
        {
            log(error);
        }
#pragma warning disable CA1031 // Nothing is left that could be done about it.
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }
}
