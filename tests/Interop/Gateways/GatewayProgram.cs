using Gateway.Interop.FirstHour;

namespace Gateway.Interop.Gateways;

internal static class GatewayProgram
{
    /// <summary>As it was built: the copy beside the tests has no machine code (src/Gateway/AheadOfTime.targets).
    /// </summary>
    public static string Path { get; } = PathOf(new(AppContext.BaseDirectory));

    /// <summary>tests/Interop/bin/X/net10.0 → src/Gateway/bin/X/net10.0.</summary>
    private static string PathOf(DirectoryInfo own) => System.IO.Path.Combine(
        Readme.Root(), "src", "Gateway", "bin", own.Parent!.Name, own.Name, "Gateway.Gateway.dll");
}
