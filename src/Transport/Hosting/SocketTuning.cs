namespace Gateway.Transport.Hosting;

/// <summary>Socket completions on the event threads, without a hop (ARCHITECTURE.md#the-data-path).</summary>
public static class SocketTuning
{
    private const string InlineCompletions = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>First in <c>Main</c>: the runtime reads the variable when the first socket is made. A value that the
    /// operator has set stays.</summary>
    public static void Apply()
    {
        if (Environment.GetEnvironmentVariable(InlineCompletions) is null)
            Environment.SetEnvironmentVariable(InlineCompletions, "1");
    }
}
