using Gateway.Loadtest.Machine;

/// <summary>The runtime calls this in the gateway that a run starts (DOTNET_STARTUP_HOOKS), before its Main; by this
/// name and outside every namespace.</summary>
internal static class StartupHook
{
    public static void Initialize() => RuntimeCountersWriter.Start();
}
