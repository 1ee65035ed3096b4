using Microsoft.Extensions.DependencyInjection;

namespace Gateway.AddressSpace.Hosting;

/// <summary>Registers the nodes and their values.</summary>
public static class AddressSpaceServices
{
    /// <summary>Needs <see cref="AddressSpaceOptions"/> and the <see cref="TimeProvider"/>.</summary>
    public static IServiceCollection AddAddressSpace(this IServiceCollection services) => services
        .AddSingleton<LoadedAddressSpace>()
        .AddSingleton(static of => of.GetRequiredService<LoadedAddressSpace>().Nodes)
        .AddSingleton(static of => of.GetRequiredService<LoadedAddressSpace>().Values);
}
