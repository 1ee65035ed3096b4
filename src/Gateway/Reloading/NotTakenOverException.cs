namespace Gateway.Host.Reloading;

/// <summary>A right configuration that the world around does not let a part take over: a folder that cannot be written.
/// </summary>
/// <param name="problems">For people, each with its key.</param>
/// <param name="cause">Of the part.</param>
internal sealed class NotTakenOverException(IReadOnlyList<string> problems, Exception cause)
    : Exception(string.Join("; ", problems), cause)
{
    public IReadOnlyList<string> Problems => problems;
}
